/** The peer of our pages: as little as a page of React can show. */
import { createElement } from "react"
import { createRoot } from "react-dom/client"

createRoot(document.body).render(createElement("h1", null, "An empty page"))
