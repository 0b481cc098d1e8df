import type { Messages } from "@lingui/core"

export { messages } from "./ja.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/ja.po")
