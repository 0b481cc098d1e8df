import type { Messages } from "@lingui/core"

export { messages } from "./zh-Hant-TW.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/zh-Hant-TW.po")
