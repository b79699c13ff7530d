// A button that links to a page, shown only to those who may open it. Server only.
import { useRender } from "../render/render-context.tsx";
import { Button, type ButtonProps } from "./Button.tsx";

export function OfferedButton(props: Extract<ButtonProps, { href: string }>) {
  const { canOpen } = useRender();
  return canOpen(props.href) ? <Button {...props} /> : null;
}
