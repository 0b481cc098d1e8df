import { useSearch } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { LoginForm } from "./LoginForm.tsx"

// Seldom needed: whoever just logs in doesn't load them.
const ForgotPage = lazy(() => import("./ForgotPage.tsx"))
const FreezePage = lazy(() => import("./FreezePage.tsx"))

/** /login: logging in, a new password where it is forgotten, and freezing an account by a mail's link. */
export default function LoginPage() {
  const { view, freeze } = useSearch({ from: "/login" })
  if (view !== "forgot" && freeze === undefined) return <LoginForm closed={view === "closed"} />
  return (
    <Suspense fallback={<Skeleton className="m-5 h-80 rounded-card" />}>
      {freeze === undefined ? <ForgotPage /> : <FreezePage token={freeze} />}
    </Suspense>
  )
}
