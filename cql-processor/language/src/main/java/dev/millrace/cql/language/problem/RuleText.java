package dev.millrace.cql.language.problem;

import java.util.List;
import java.util.Objects;

/**
 * A view or query as the component configuration declares it. Immutable.
 *
 * @param id                  identifier, unique among the rules of a processor and the sources that it reads
 * @param view                true for a view, false for a query
 * @param text                statement; positions of problems are counted in it
 * @param schema              column names of a view; empty when the attribute is absent
 * @param orderingConstraint  value of the attribute, or {@code null} when absent (ORDERED)
 * @param partitionExpression value of the attribute, or {@code null} when absent
 * @param parameters          values of the placeholders {@code :1}, {@code :2} ... in order; {@code null} when the
 *     query has no binding
 */
public record RuleText(
    String id, boolean view, String text, List<String> schema, String orderingConstraint, String partitionExpression,
    List<String> parameters)
{
    /** Checks the arguments; a {@code null} schema becomes empty. */
    public RuleText
    {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(text, "text");
        schema = schema == null ? List.of() : List.copyOf(schema);
        parameters = parameters == null ? null : List.copyOf(parameters);
    }

    /** A rule without placeholders. */
    public RuleText(
        final String id, final boolean view, final String text, final List<String> schema,
        final String orderingConstraint, final String partitionExpression)
    {
        this(id, view, text, schema, orderingConstraint, partitionExpression, null);
    }

    /** A query without attributes. */
    public static RuleText query(final String id, final String text)
    {
        return new RuleText(id, false, text, List.of(), null, null);
    }

    /**
     * A view without ordering attributes.
     *
     * @param schema column names; none when the select list defines them
     */
    public static RuleText view(final String id, final String text, final String... schema)
    {
        return new RuleText(id, true, text, List.of(schema), null, null);
    }

    /** A copy that is PARTITION_ORDERED by an expression. */
    public RuleText partitionOrdered(final String expression)
    {
        return new RuleText(id, view, text, schema, "PARTITION_ORDERED", expression, parameters);
    }

    /**
     * A copy for one binding.
     *
     * @param paramsId id of the params; the id of the copy is {@code id_paramsId}
     * @param values   values of the placeholders in order
     * @return a copy with another id
     */
    public RuleText bound(final String paramsId, final List<String> values)
    {
        return new RuleText(id + '_' + paramsId, view, text, schema, orderingConstraint, partitionExpression, values);
    }
}
