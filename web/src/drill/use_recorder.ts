// The spoken read, recorded in the browser. It is held in memory as long as the drill is open and goes nowhere.
import { useEffect, useRef, useState } from 'preact/hooks';

export type Recording =
  | { readonly phase: 'none' }
  // The browser asks whether it may; nothing is recorded yet.
  | { readonly phase: 'asking' }
  | { readonly phase: 'running' }
  | { readonly phase: 'done'; readonly url: string }
  | { readonly phase: 'failed'; readonly message: string };

export interface Recorder {
  readonly recording: Recording;
  readonly start: () => void;
  readonly stop: () => void;
  /** False where the browser cannot record at all. */
  readonly isPossible: boolean;
}

function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined;
}

export function useRecorder(): Recorder {
  const [recording, setRecording] = useState<Recording>({ phase: 'none' });
  const running = useRef<MediaRecorder | undefined>(undefined);
  const stop = () => {
    if (running.current?.state === 'recording') running.current.stop();
  };
  const start = () => {
    setRecording({ phase: 'asking' });
    record((url) => setRecording({ phase: 'done', url }))
      .then((recorder) => {
        running.current = recorder;
        setRecording({ phase: 'running' });
      })
      .catch((error: unknown) => setRecording({ phase: 'failed', message: whyNot(error) }));
  };
  useEffect(() => stop, []);
  const url = recording.phase === 'done' ? recording.url : undefined;
  useEffect(() => {
    if (url === undefined) return undefined;
    return () => URL.revokeObjectURL(url);
  }, [url]);
  return { recording, start, stop, isPossible: canRecord() };
}

async function record(onDone: (url: string) => void): Promise<MediaRecorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => pieces.push(event.data));
  recorder.addEventListener('stop', () => {
    for (const track of stream.getTracks()) track.stop(); // the browser's own sign goes out
    onDone(URL.createObjectURL(new Blob(pieces, { type: recorder.mimeType })));
  });
  recorder.start();
  return recorder;
}

function whyNot(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return 'The browser was not allowed to use the microphone.';
  if (name === 'NotFoundError') return 'There is no microphone.';
  return error instanceof Error ? error.message : 'The browser gave no reason.';
}
