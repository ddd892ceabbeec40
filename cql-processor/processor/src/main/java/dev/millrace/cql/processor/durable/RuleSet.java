package dev.millrace.cql.processor.durable;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Params;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a processor with everything that their plan depends on, except for channels and objects of the
 * application. Immutable; two are equal if the rules are, wherever they are written.
 *
 * @param rules         views and queries in order of registration, without positions
 * @param idleStateTime default of the rules
 * @param maxAttempts   default of the rules
 */
public record RuleSet(List<Rule> rules, Duration idleStateTime, int maxAttempts)
{
    /** Copies the list. */
    public RuleSet
    {
        rules = List.copyOf(rules);
    }

    /** The rules of a processor. */
    public static RuleSet of(final ProcessorStage definition)
    {
        return new RuleSet(definition.rules().stream().map(RuleSet::withoutPosition).toList(),
            definition.idleStateTime(), definition.maxAttempts());
    }

    private static Rule withoutPosition(final Rule rule)
    {
        final Params params = rule.params();
        return new Rule(rule.id(), rule.view(), rule.text(), rule.schema(), rule.orderingConstraint(),
            rule.partitionExpression(), rule.active(), SourcePosition.NONE,
            params == null ? null : new Params(params.id(), params.values(), SourcePosition.NONE), null,
            rule.idleStateTime(), rule.maxAttempts());
    }

    /** A processor with these rules. */
    public ProcessorStage in(final ProcessorStage definition)
    {
        return new ProcessorStage(definition.id(), definition.provider(), rules, definition.cacheSources(),
            definition.objects(), definition.workers(), idleStateTime, maxAttempts, definition.durable(),
            definition.listeners(), definition.position());
    }

    void write(final StateOutput to)
    {
        to.writeString(idleStateTime.toString());
        to.writeInt(maxAttempts);
        to.writeCount(rules.size());
        rules.forEach(rule -> write(rule, to));
    }

    private static void write(final Rule rule, final StateOutput to)
    {
        to.writeString(rule.id());
        to.writeBoolean(rule.view());
        to.writeString(rule.text());
        to.writeStrings(rule.schema());
        to.writeString(rule.orderingConstraint());
        to.writeString(rule.partitionExpression());
        to.writeBoolean(rule.active());
        to.writeString(rule.params() == null ? null : rule.params().id());
        to.writeStrings(rule.params() == null ? List.of() : rule.params().values());
        to.writeString(rule.idleStateTime() == null ? null : rule.idleStateTime().toString());
        to.writeString(rule.maxAttempts() == null ? null : rule.maxAttempts().toString());
    }

    static RuleSet read(final StateInput from)
    {
        final Duration idleStateTime = Duration.parse(from.readString());
        final int maxAttempts = from.readInt();
        final List<Rule> rules = new ArrayList<>();
        for (int count = from.readCount(); count > 0; count--)
        {
            rules.add(rule(from));
        }
        return new RuleSet(rules, idleStateTime, maxAttempts);
    }

    private static Rule rule(final StateInput from)
    {
        final String id = from.readString();
        final boolean isView = from.readBoolean();
        final String text = from.readString();
        final List<String> schema = from.readStrings();
        final String ordering = from.readString();
        final String expression = from.readString();
        final boolean isActive = from.readBoolean();
        final String params = from.readString();
        final List<String> values = from.readStrings();
        final String idle = from.readString();
        final String attempts = from.readString();
        return new Rule(id, isView, text, schema, ordering, expression, isActive, SourcePosition.NONE,
            params == null ? null : new Params(params, values, SourcePosition.NONE), null,
            idle == null ? null : Duration.parse(idle), attempts == null ? null : Integer.valueOf(attempts));
    }
}
