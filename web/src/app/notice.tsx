// One line over the screen: what was asked for did not come, and all that is shown stays.
import type { ClientError } from '../client/client_error';

interface Props {
  readonly error: ClientError | undefined;
  readonly onClose: () => void;
}

export function Notice({ error, onClose }: Props) {
  if (error === undefined) return null;
  return (
    <div class="notice" role="alert">
      <p>
        <b>No trace was drawn.</b> {error.message}
      </p>
      <button type="button" class="btn" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
