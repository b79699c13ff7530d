// A button that leads to a page, there for those alone who may open it. Server only.
import { useRender } from "../renderer/render-context.tsx";
import { Button, type ButtonProps } from "./Button.tsx";

export function OfferedButton(props: Extract<ButtonProps, { href: string }>) {
  const { opens } = useRender();
  return opens(props.href) ? <Button {...props} /> : null;
}
