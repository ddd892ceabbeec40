package dev.millrace.cql.testkit;

import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs cases on the engine, in application time. The rules are planned and compiled once; every run has its own
 * engines. Not thread-safe.
 */
public final class EngineRunner
{
    private final CompiledCase compiled;
    private final UniqueKeyCheck uniqueRows;
    private final Set<String> unwritten = new TreeSet<>();
    private Map<String, List<List<CaseRow>>> lastParts = Map.of();

    /**
     * Plans and compiles the rules of a case.
     *
     * @param mode how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(final CaseFile file, final CompiledCase.Mode mode) throws CqlException
    {
        this(file.inputs(), file.rules(), mode);
    }

    /**
     * Plans and compiles the rules of a case.
     *
     * @param variant how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(final CaseFile file, final CompiledCase.Variant variant) throws CqlException
    {
        this(file.inputs(), file.rules(), variant);
    }

    /**
     * Plans and compiles rules.
     *
     * @param inputs they may read
     * @param mode   how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(
        final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules, final CompiledCase.Mode mode)
        throws CqlException
    {
        this(inputs, rules, new CompiledCase.Variant(mode, false, false));
    }

    /**
     * Plans and compiles rules.
     *
     * @param inputs  they may read
     * @param variant how to plan
     * @throws CqlException when they are refused
     */
    public EngineRunner(
        final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules, final CompiledCase.Variant variant)
        throws CqlException
    {
        this(inputs, rules, variant, Map.of());
    }

    /**
     * Plans and compiles rules over channels that are partitioned across members.
     *
     * @param inputs  they may read
     * @param variant how to plan; only flows can discard partitions
     * @param shared  property of the partition key by id of the partitioned channel
     * @throws CqlException when they are refused
     */
    public EngineRunner(final List<Interpreter.Input> inputs, final List<Interpreter.Rule> rules,
        final CompiledCase.Variant variant, final Map<String, String> shared) throws CqlException
    {
        compiled = new CompiledCase(inputs, rules, variant, shared);
        uniqueRows = new UniqueKeyCheck(compiled.plan());
    }

    /** Whether all state is separated by partition; otherwise partitions cannot be discarded. */
    public boolean isApart()
    {
        return compiled.isApart();
    }

    /**
     * Runs over arrivals, and discards partitions in between.
     *
     * @param batchSize   maximum rows per batch
     * @param forgettings by the number of the arrival that follows
     * @return output up to the end of the input
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize,
        final Map<Integer, EngineRun.Forgetting> forgettings)
    {
        final EngineRun run = new EngineRun(compiled);
        run.forgets(forgettings);
        return outcome(run, arrivals, batchSize);
    }

    /**
     * Runs over arrivals, and in between continues with engines that have restored the state of the previous ones.
     *
     * @param batchSize maximum rows per batch
     * @param restarts  numbers of the arrivals that follow a restart
     * @return output up to the end of the input
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize, final Set<Integer> restarts)
    {
        return run(arrivals, batchSize, restarts, true);
    }

    /**
     * Runs over arrivals, and in between continues with engines that have restored the state of the previous ones.
     *
     * @param batchSize maximum rows per batch
     * @param restarts  numbers of the arrivals that follow a restart
     * @param all       false when engines continue whose state cannot be written
     * @return output up to the end of the input
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize, final Set<Integer> restarts,
        final boolean all)
    {
        final EngineRun run = new EngineRun(compiled);
        run.restarts(restarts, all ? null : unwritten);
        return outcome(run, arrivals, batchSize);
    }

    /**
     * Runs over arrivals, one row per batch; some partitions move to a separate engine during the run.
     *
     * @param before     number of the arrival before which they move
     * @param partitions to move, by the first column of all inputs
     * @return output up to the end of the input, by time
     */
    Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int before,
        final PartitionPredicate partitions)
    {
        final EngineRun run = new EngineRun(compiled);
        run.moves(before, partitions);
        final Reference.Outcome outcome = outcome(run, arrivals, 1);
        outcome.rows().values().forEach(rows -> rows.sort(Comparator.comparingLong(CaseRow::timeNs)));
        return outcome;
    }

    public ProcessorPlan plan()
    {
        return compiled.plan();
    }

    /** Reasons why the state of engines could not be written so far. */
    Set<String> unwritten()
    {
        return unwritten;
    }

    /** The units of all flows. */
    List<CompiledUnit> units()
    {
        return compiled.units();
    }

    /** Number of queries that run as units. */
    public int queriesInUnits()
    {
        return compiled.queriesInUnits();
    }

    /** Whether queries are streams: true by query id, false for relations. */
    public Map<String, Boolean> streams()
    {
        return compiled.streams();
    }

    /**
     * Types of the columns of a query.
     *
     * @param query its id
     * @return char for types that the interpreter does not have
     */
    public List<Type> types(final String query)
    {
        return compiled.types(query);
    }

    /**
     * Runs over arrivals, one row per batch.
     *
     * @return output up to the end of the input
     */
    public Reference.Outcome run(final List<Interpreter.Arrival> arrivals)
    {
        return run(arrivals, 1);
    }

    /**
     * Runs over arrivals.
     *
     * @param batchSize maximum rows per batch; only consecutive rows of one source share a batch
     * @return output up to the end of the input
     */
    public Reference.Outcome run(final List<Interpreter.Arrival> arrivals, final int batchSize)
    {
        return outcome(new EngineRun(compiled), arrivals, batchSize);
    }

    private Reference.Outcome outcome(
        final EngineRun run, final List<Interpreter.Arrival> arrivals, final int batchSize)
    {
        run.run(arrivals, batchSize);
        lastParts = run.output().parts();
        return run.output().outcome(uniqueRows);
    }

    /** Output of each engine in the last run: a list per engine, by query id. */
    Map<String, List<List<CaseRow>>> lastParts()
    {
        return lastParts;
    }
}
