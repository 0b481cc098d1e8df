import type { Messages } from "@lingui/core"

export { messages } from "./en.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/en.po")
