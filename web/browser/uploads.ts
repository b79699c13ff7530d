// Sends files to the team one by one, with progress. XMLHttpRequest, because fetch does not tell how far an upload is.
import { addressOf } from "./api-calls.ts";
import { CallFailure } from "./call-api.ts";

export interface UploadedFile {
  id: string;
  name: string;
}

/**
 * Uploads one file; `onProgress` gets a share from 0 to 1.
 * @throws CallFailure with the API's words, which name the file
 */
export function uploadFile(
  teamId: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.open("POST", addressOf("/v1/teams/{teamId}/files/upload", { teamId }));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = request.response as Record<string, unknown> | null;
      if (request.status === 201 && body) return resolve({ id: String(body.id), name: String(body.name) });
      const code = typeof body?.code === "string" ? body.code : "UNEXPECTED_ERROR";
      const message = typeof body?.message === "string" ? body.message : "";
      reject(new CallFailure(request.status, code, message, String(body?.requestId ?? "")));
    };
    request.onerror = () => reject(new CallFailure(0, "UNAVAILABLE", "", ""));
    request.onabort = () => reject(new DOMException("The upload was stopped.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    form.append("file", file, file.name);
    request.send(form);
  });
}
