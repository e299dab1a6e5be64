import { type ParameterName, parameters } from '../../api/routes.ts'
import { toExample } from './snippets.tsx'

/** A form that the page's script shows and handles. */
export function Form({ path, names }: { readonly path: string; readonly names: readonly ParameterName[] }) {
  return (
    <div class="try" hidden>
      <h3>Try it</h3>
      <form data-path={path}>
        {names.map(name => (
          <label>
            {name} <Control name={name} />
          </label>
        ))}
        <p>
          <button type="submit" class="send">
            Send the request
          </button>
          <span class="outcome" role="status" />
        </p>
      </form>
      <div class="response" hidden>
        <figure>
          <figcaption>Body</figcaption>
          <pre class="body" tabIndex={0} aria-label="Body" />
        </figure>
        <figure>
          <figcaption>Headers</figcaption>
          <pre class="headers" tabIndex={0} aria-label="Headers" />
        </figure>
      </div>
    </div>
  )
}

function Control({ name }: { readonly name: ParameterName }) {
  const { schema } = parameters[name]
  if (!('enum' in schema)) {
    return (
      <input name={name} value={toExample(name)} list={`${name}s`} required autocomplete="off" spellcheck={false} />
    )
  }
  return (
    <select name={name} data-default={schema.default}>
      {schema.enum.map(value => (
        <option selected={value === toExample(name)}>{value}</option>
      ))}
    </select>
  )
}
