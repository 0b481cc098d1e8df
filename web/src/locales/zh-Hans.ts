import type { Messages } from "@lingui/core"

export { messages } from "./zh-Hans.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/zh-Hans.po")
