// Asks before the page is left while something is sent that exists nowhere else yet.
import { useEffect } from "react";

export function useLeavingAsks(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const keep = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", keep);
    return () => removeEventListener("beforeunload", keep);
  }, [isSending]);
}
