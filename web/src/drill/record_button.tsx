import type { Recorder } from './use_recorder';

/** Starts and stops the recording of the spoken read; played back at the reveal. Nothing where it cannot be had. */
export function RecordButton({ recorder }: { readonly recorder: Recorder }) {
  const { recording, isPossible } = recorder;
  if (!isPossible) return null;
  const isRunning = recording.phase === 'running';
  return (
    <div class="record">
      <button
        type="button"
        class="btn"
        aria-pressed={isRunning}
        title="Recorded in this browser, kept until the drill is left, sent nowhere"
        aria-disabled={recording.phase === 'asking'}
        onClick={() => {
          if (isRunning) recorder.stop();
          else if (recording.phase !== 'asking') recorder.start();
        }}
      >
        <i class="record-dot" data-on={isRunning} aria-hidden="true" />
        {isRunning ? 'Stop recording' : recording.phase === 'done' ? 'Record again' : 'Record the read'}
      </button>
      <small role="status">
        {isRunning
          ? 'Recording; it stays in this browser.'
          : recording.phase === 'asking'
            ? 'Asking for the microphone.'
            : recording.phase === 'done'
              ? 'Recorded; played at the reveal.'
              : recording.phase === 'failed'
                ? `Not recorded: ${recording.message}`
                : ''}
      </small>
    </div>
  );
}
