package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs cases with the reference interpreter. The rules are read once. */
public final class Reference
{
    private final Interpreter interpreter;

    /**
     * @throws dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException when the language does not allow
     *     the rules
     */
    public Reference(final CaseFile file)
    {
        interpreter = new Interpreter(file.inputs(), file.rules());
    }

    /**
     * Whether a query is a stream, not a relation.
     *
     * @param query its id
     */
    public boolean isStream(final String query)
    {
        return interpreter.isStream(query);
    }

    /**
     * Runs over arrivals.
     *
     * @return output
     */
    public Outcome run(final List<Interpreter.Arrival> arrivals)
    {
        final Interpreter.Result result = interpreter.run(arrivals);
        final Map<String, List<CaseRow>> rows = new LinkedHashMap<>();
        result.outputs().forEach((query, outputs) -> {
            final List<CaseRow> list = new ArrayList<>();
            outputs.forEach(row ->
                list.add(CaseRow.of(row.timeNs(), row.kind(), row.values(), interpreter.types(query))));
            rows.put(query, list);
        });
        return new Outcome(rows, result.rejected());
    }

    /**
     * Whether an engine may reject rows.
     *
     * @param arrivals what arrives
     * @return false when every row that ever was somewhere can be worked out
     */
    public boolean mayReject(final List<Interpreter.Arrival> arrivals)
    {
        return interpreter.mayReject(arrivals);
    }

    /**
     * What a run gave.
     *
     * @param rows     by query id
     * @param rejected number of rejected arrivals or rows
     * @param limit    message of the limit that was reached; null for none
     */
    public record Outcome(Map<String, List<CaseRow>> rows, long rejected, String limit)
    {
        /**
         * A result within all limits.
         *
         * @param rows     by query id
         * @param rejected number of rejected arrivals or rows
         */
        public Outcome(final Map<String, List<CaseRow>> rows, final long rejected)
        {
            this(rows, rejected, null);
        }
    }

    /**
     * Compares a result with a case's expectation.
     *
     * @return null when it is as expected, otherwise a description
     */
    public String difference(final CaseFile file, final Outcome outcome)
    {
        final StringBuilder text = new StringBuilder();
        for (final Map.Entry<String, List<CaseRow>> entry : file.expected().entrySet())
        {
            final List<CaseRow> got = outcome.rows().get(entry.getKey());
            final String difference = got == null ? "  no such query\n" : Comparison.difference(got,
                entry.getValue().stream().map(row -> row.typed(interpreter.types(entry.getKey()))).toList(),
                isStream(entry.getKey()), file.ordered());
            if (difference != null)
            {
                text.append("query ").append(entry.getKey()).append(":\n").append(difference);
            }
        }
        return text.length() == 0 ? null : text.toString();
    }
}
