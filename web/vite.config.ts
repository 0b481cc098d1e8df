import { fileURLToPath } from "node:url"
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin"
import babel from "@rolldown/plugin-babel"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vitest/config"
import { beside, FILES } from "./chunks.ts"
import { firstPaint } from "./first.ts"
import { licenceTexts } from "./licence-texts.ts"
import { operatorConsole } from "./operator.ts"
import { precompress } from "./precompress.ts"
import { preloads } from "./preloads.ts"
import { serviceWorker } from "./worker.ts"

const API = "http://127.0.0.1:8000"

export default defineConfig({
  plugins: [
    babel({ presets: [linguiTransformerBabelPreset()] }),
    react(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    tailwindcss(),
    licenceTexts(),
    firstPaint(),
    preloads(),
    serviceWorker(),
    operatorConsole(),
    precompress(),
  ],
  resolve: {
    alias: [
      { find: /^crypto$/, replacement: fileURLToPath(new URL("./no-node.ts", import.meta.url)) },
      // React has itself what these would make up for.
      { find: /^use-sync-external-store\/shim$/, replacement: "react" },
      {
        find: /^use-sync-external-store\/shim\/with-selector$/,
        replacement: "use-sync-external-store/with-selector",
      },
    ],
  },
  // Nothing inline: the page runs under a content security policy without 'unsafe-inline'.
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    // All styles are one file, named by the page: else each part of the code that fetches another one would name it again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false, resolveDependencies: beside },
    chunkSizeWarningLimit: 500,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
  // The notices of third parties stand beside this folder.
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": API, "/.well-known": API, "/v1": API, "/ws": { target: API, ws: true } },
  },
  test: {
    restoreMocks: true,
    // Files share processes, and nothing else: setup.ts sees to that.
    isolate: false,
    setupFiles: "src/testing/setup.ts",
    alias: {
      "vitest-environment-document": fileURLToPath(new URL("./src/testing/document.ts", import.meta.url)),
    },
    // What holds the texts and the language: each file begins without any.
    server: { deps: { inline: [/@lingui/] } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A document takes longer to make than most files take: what needs one without drawing anything says so itself.
    projects: [
      { extends: true, test: { name: "plain", environment: "node", include: ["src/**/*.test.ts"] } },
      { extends: true, test: { name: "drawn", environment: "document", include: ["src/**/*.test.tsx"] } },
    ],
  },
})
