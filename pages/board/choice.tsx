interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly options: readonly (readonly [value: Value, label: string])[]
  readonly chosen: Value | undefined
  readonly onChoose: (value: Value) => void
}

/** Buttons of which one is pressed. */
export function Choice<Value extends string>({ name, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset class="choice" aria-label={name}>
      {options.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
