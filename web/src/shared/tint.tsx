// How a drawn token looks: its region's colour, the stronger the more the sampler moved it.
import './tint.css';

const most = 2; // nats: a stronger push does not look stronger

/** `push` is ln(q / p), nats; unknown without a region and a push. */
export function tintOf(region: string | null | undefined, push: number | null | undefined) {
  if (push === null || push === undefined) return { class: 'token-text unknown', style: { '--strength': '0' } };
  const strength = Number.isFinite(push) ? Math.min(Math.abs(push), most) / most : 1;
  const way = strength > 0.02 ? (push > 0 ? 'up' : 'down') : '';
  return { class: `token-text ${region ?? 'plain'} ${way}`, style: { '--strength': strength.toFixed(2) } };
}

export function Legend() {
  return (
    <p class="tints">
      {['shoulder', 'mid', 'toe'].map((region) => (
        <span key={region}>
          <i class={region} />
          {region}
        </span>
      ))}
      <span>stronger = moved further, underlined = made likelier</span>
    </p>
  );
}
