import { defineConfig } from "@lingui/cli"
import { formatter } from "@lingui/format-po"
import { LANGUAGES } from "./src/lib/languages.ts"

export default defineConfig({
  sourceLocale: "en",
  locales: LANGUAGES.map(({ tag }) => tag),
  format: formatter({ origins: false }),
  catalogs: [
    {
      path: "src/features/{name}/locales/{locale}",
      include: ["src/features/{name}/"],
      exclude: ["**/*.test.*"],
    },
    { path: "src/locales/{locale}", include: ["src"], exclude: ["src/features/**", "**/*.test.*"] },
  ],
})
