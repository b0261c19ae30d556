// What is shown when the page itself is at fault, instead of nothing.
import { Component, type ComponentChildren } from 'preact';

interface Props {
  readonly children: ComponentChildren;
}
interface State {
  readonly fault: string | undefined;
}

export class FaultScreen extends Component<Props, State> {
  override state: State = { fault: undefined };

  static override getDerivedStateFromError(error: unknown): State {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { fault } = this.state;
    if (fault === undefined) return <>{this.props.children}</>;
    return (
      <main class="plain">
        <section class="message" role="alert">
          <h1>This page ran into a fault of its own</h1>
          <p>{fault}</p>
          <div class="acts">
            <button type="button" class="btn big" onClick={() => location.reload()}>
              Open it again
            </button>
            <a class="btn big ghost" href="#/" onClick={() => this.setState({ fault: undefined })}>
              Home
            </a>
          </div>
        </section>
      </main>
    );
  }
}
