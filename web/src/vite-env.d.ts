/// <reference types="vite/client" />

/** Set at build: where the API and the live socket are. See lib/hosts.ts. */
interface ImportMetaEnv {
  readonly VITE_API?: string
  readonly VITE_SOCKET?: string
}

declare module "*.po" {
  import type { Messages } from "@lingui/core"
  export const messages: Messages
}
