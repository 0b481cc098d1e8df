import { fileURLToPath } from "node:url"
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin"
import babel from "@rolldown/plugin-babel"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import { licenceTexts } from "./licence-texts.ts"

/** The console's own bundle in the folder of the page's: they share sources, and no file. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  publicDir: false,
  plugins: [
    babel({ presets: [linguiTransformerBabelPreset()] }),
    react(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    tailwindcss(),
    licenceTexts("operator-licences.txt"),
  ],
  resolve: {
    alias: [{ find: /^crypto$/, replacement: fileURLToPath(new URL("./no-node.ts", import.meta.url)) }],
  },
  build: {
    target: "es2023",
    assetsDir: "assets/operator",
    assetsInlineLimit: 0,
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: { input: "operator.html" },
  },
})
