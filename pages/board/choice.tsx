interface ChoiceProps<Value extends string> {
  readonly name: string
  /** What is chosen, for a screen reader. */
  readonly legend: string
  /** Values and their labels. */
  readonly options: readonly (readonly [value: Value, label: string])[]
  readonly chosen: Value | undefined
  readonly onChoose: (value: Value) => void
}

/** Buttons of which one is pressed. */
export function Choice<Value extends string>({ name, legend, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend class="hidden">{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
