/** The peer of our entry: React and its router with one route, and nothing else. */
import { createRootRoute, createRoute, createRouter, RouterProvider } from "@tanstack/react-router"
import { createElement } from "react"
import { createRoot } from "react-dom/client"

const rootRoute = createRootRoute()
const home = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: () => createElement("h1", null, "One route"),
})
const router = createRouter({ routeTree: rootRoute.addChildren([home]) })

createRoot(document.body).render(createElement(RouterProvider, { router } as never))
