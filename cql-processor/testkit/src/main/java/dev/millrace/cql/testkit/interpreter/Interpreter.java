package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.StatementReader;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The slow, literal interpreter: rules, read once, that can be run over any number of inputs. Every relation is
 * computed from scratch at every instant at which it may change; patterns are found by enumerating all labellings. It
 * shares nothing with the engine. Not thread-safe.
 */
public final class Interpreter
{
    private final Map<String, Input> inputs = new LinkedHashMap<>();
    private final Map<String, Source> queries = new LinkedHashMap<>();
    private final Map<String, Source.BaseTable> relations = new HashMap<>();

    /**
     * An input.
     *
     * @param relation whether it is a relation
     * @param columns  column names
     * @param types    their types
     * @param key      columns of the primary key, empty without
     */
    public record Input(String name, boolean relation, List<String> columns, List<Type> types, List<String> key)
    {
    }

    /**
     * A view or query.
     *
     * @param view   whether it is a view
     * @param text   statement
     * @param schema column names of a view, empty without
     */
    public record Rule(String id, boolean view, String text, List<String> schema)
    {
    }

    /**
     * An arrival.
     *
     * @param input  name of the input
     * @param kind   '+', '-', 'U', or 'h' for a heartbeat
     * @param values none for a heartbeat
     */
    public record Arrival(long timeNs, String input, char kind, Object[] values)
    {
    }

    /**
     * A row of output.
     *
     * @param kind '+' or '-'
     */
    public record Output(long timeNs, char kind, Object[] values)
    {
    }

    /**
     * The result of a run.
     *
     * @param outputs  rows by query id
     * @param rejected number of skipped arrivals (time going backwards, changes of rows that do not exist), and of rows
     *                 that could not be computed, counted each time
     */
    public record Result(Map<String, List<Output>> outputs, int rejected)
    {
    }

    /**
     * Reads rules.
     *
     * @param inputs they may read
     * @param rules  in order of registration
     * @throws InvalidStatementException when the language does not allow them
     */
    public Interpreter(final List<Input> inputs, final List<Rule> rules)
    {
        final QueryBuilder builder = new QueryBuilder();
        for (final Input input : inputs)
        {
            final String name = fold(input.name());
            if (input.types().contains(Type.XMLTYPE))
            {
                throw new InvalidStatementException("the interpreter knows no XML");
            }
            final List<String> columns = input.columns().stream().map(Interpreter::fold).toList();
            final int[] key = input.key().stream().mapToInt(column -> columns.indexOf(fold(column))).toArray();
            if (input.relation())
            {
                relations.put(name, new Source.BaseTable(name, columns, input.types(), key));
            }
            builder.add(name, input.relation() ? relations.get(name)
                : new Source.BaseFlow(name, columns, input.types()), columns);
            this.inputs.put(name, input);
        }
        for (final Rule rule : rules)
        {
            add(builder, rule);
        }
    }

    private void add(final QueryBuilder builder, final Rule rule)
    {
        final Source source = builder.statement(new StatementReader(rule.text()).statement());
        final List<String> schema = rule.schema().stream().map(Interpreter::fold).toList();
        if (!schema.isEmpty() && schema.size() != source.names.size())
        {
            throw new InvalidStatementException("the schema of " + rule.id() + " has " + schema.size() + " names for "
                + source.names.size() + " columns");
        }
        builder.add(fold(rule.id()), source, schema.isEmpty() ? source.names : schema);
        if (!rule.view())
        {
            queries.put(rule.id(), source);
        }
    }

    private static String fold(final String name)
    {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * Whether a query is a stream, not a relation.
     *
     * @param query its id
     */
    public boolean isStream(final String query)
    {
        return queries.get(query) instanceof Source.Flow;
    }

    /**
     * Types of a query's columns, in order.
     *
     * @param query its id
     */
    public List<Type> types(final String query)
    {
        return queries.get(query).types;
    }

    /**
     * Runs the rules over an input.
     *
     * @param arrivals in order of arrival
     * @return output up to the end of the input
     */
    public Result run(final List<Arrival> arrivals)
    {
        return run(arrivals, false);
    }

    /**
     * Whether rows cannot be worked out that were somewhere, seen at an instant or not: rows that enter a window and
     * leave it at the same instant, that an EXCEPT or a first number of rows takes away, or whose instant is not over.
     * It is for an engine to decide whether it works them out.
     *
     * @param arrivals in order of arrival
     * @return false when all can be worked out; true when that is not known
     */
    public boolean mayReject(final List<Arrival> arrivals)
    {
        try
        {
            return run(arrivals, true).rejected() > 0;
        }
        catch (final RowEvaluationException | UndefinedResultException undecided)
        {
            return true;
        }
    }

    private Result run(final List<Arrival> arrivals, final boolean isLoose)
    {
        final Map<String, List<Evaluation.Change>> logs = new HashMap<>();
        final Map<String, Long> clocks = new HashMap<>();
        final Map<String, List<Row>> contents = new HashMap<>();
        int rejected = 0;
        for (final Arrival arrival : arrivals)
        {
            final String name = fold(arrival.input());
            if (!inputs.containsKey(name))
            {
                throw new InvalidStatementException("arrival at the unknown input " + arrival.input());
            }
            if (arrival.timeNs() < clocks.getOrDefault(name, Long.MIN_VALUE))
            {
                rejected++;
                continue;
            }
            clocks.put(name, arrival.timeNs());
            if (arrival.kind() == 'h')
            {
                continue;
            }
            final Evaluation.Change change = new Evaluation.Change(arrival.timeNs(), arrival.kind(),
                new Row(Arrays.stream(arrival.values()).map(Interpreter::read).toArray()));
            if (relations.containsKey(name)
                ? relations.get(name).apply(contents.computeIfAbsent(name, n -> new ArrayList<>()), change)
                : arrival.kind() == '+')
            {
                logs.computeIfAbsent(name, n -> new ArrayList<>()).add(change);
            }
            else
            {
                rejected++;
            }
        }
        final Evaluation run = new Evaluation(logs, clocks, isLoose);
        final Map<String, List<Output>> outputs = new LinkedHashMap<>();
        queries.forEach((id, source) -> outputs.put(id, outputs(run, source)));
        return new Result(outputs, rejected + run.faults);
    }

    private static Object read(final Object value)
    {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }

    private static List<Output> outputs(final Evaluation run, final Source source)
    {
        final long progress = run.progress(source.bases);
        final List<Output> outputs = new ArrayList<>();
        if (source instanceof Source.Flow flow)
        {
            for (final Source.Item item : flow.items(run))
            {
                if (item.time() <= progress)
                {
                    outputs.add(new Output(item.time(), '+', item.row().values()));
                }
            }
            return outputs;
        }
        final Source.Table table = (Source.Table)source;
        List<Row> before = List.of();
        for (final long time : table.changes(run))
        {
            if (time > progress && !run.isLoose)
            {
                break;
            }
            final List<Row> now = table.at(run, time);
            Bags.minus(before, now).forEach(row -> outputs.add(new Output(time, '-', row.values())));
            Bags.minus(now, before).forEach(row -> outputs.add(new Output(time, '+', row.values())));
            before = now;
        }
        return outputs;
    }
}
