package dev.millrace.cql.compiler.pattern.attempt.template;

import java.util.Map;

/**
 * Java source text that a generator completes: names in {@code <..>} are replaced, lines that begin with {@code ?name}
 * are included only when the name holds, and lines with {@code !name} only when it does not.
 */
public final class Template
{
    private Template()
    {
    }

    /**
     * Completes a template.
     *
     * @param text  template
     * @param names replacements
     * @param holds which of the names hold, by name
     * @return Java statements
     */
    public static String complete(final String text, final Map<String, String> names, final Map<String, Boolean> holds)
    {
        final StringBuilder lines = new StringBuilder();
        text.lines().forEach(line ->
        {
            final int blank = line.indexOf(' ');
            final boolean isConditional = line.startsWith("?") || line.startsWith("!");
            if (!isConditional || holds.get(line.substring(1, blank)) == line.startsWith("?"))
            {
                lines.append(isConditional ? line.substring(blank) : line).append('\n');
            }
        });
        String complete = lines.toString();
        for (final Map.Entry<String, String> name : names.entrySet())
        {
            complete = complete.replace('<' + name.getKey() + '>', name.getValue());
        }
        return complete;
    }
}
