import type { Messages } from "@lingui/core"

export { messages } from "./ko.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/ko.po")
