package dev.millrace.api.memory;

import java.util.Objects;

/**
 * The holder of memory, for statistics and messages. Immutable.
 *
 * @param application name of the application; empty for the instance itself
 * @param stage       id of the stage; empty for state that all stages of the application share
 * @param rule        id of the rule, or the ids of rules that run as one; empty when the stage has no rules
 * @param part        kind of the state, for example {@code state} or {@code queue}
 */
public record MemoryHolder(String application, String stage, String rule, String part)
{
    /** Refuses nulls. */
    public MemoryHolder
    {
        Objects.requireNonNull(application, "application");
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(part, "part");
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder(application);
        for (final String name : new String[] {stage, rule, part})
        {
            if (!name.isEmpty())
            {
                text.append(text.isEmpty() ? "" : "/").append(name);
            }
        }
        return text.toString();
    }
}
