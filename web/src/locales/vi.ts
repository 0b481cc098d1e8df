import type { Messages } from "@lingui/core"

export { messages } from "./vi.po"
export const features = import.meta.glob<{ messages: Messages }>("../features/*/locales/vi.po")
