import type { Messages } from "@lingui/core"

export { messages } from "./th.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/th.po")
