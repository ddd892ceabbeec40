package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.Receiver;
import dev.millrace.cql.processor.RuleRun;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.spi.ProcessorProvider.TimeKind;
import dev.millrace.network.spi.RuleChange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A durable processor whose rules change keeps the state of the rules that do not, whenever it is killed. */
@Tag("slow")
@Timeout(120)
class DurableRuleChangesTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MILLISECOND_NS = 1_000_000;
    private static final int SYMBOLS = 5;
    private static final String SUM = "select sym, sum(q) as s from S group by sym";
    private static final String COUNT = "select sym, count(*) as n from S group by sym";

    /** Versions of each rule; the first column of a query is its partition value; the last rules are views. */
    private static final Map<String, List<String>> STATEMENTS = new TreeMap<>(Map.of(
        "a", List.of(SUM, "select sym, max(price) as m from S group by sym"),
        "b", List.of("select sym, sum(q) as s, count(*) as n from S[range 7 milliseconds] group by sym",
            "select sym, sum(q) as s, count(*) as n from S[range 9 milliseconds] group by sym"),
        "c", List.of("select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, A.q as " +
            "x, C.q as y pattern (A B* C) within 6 milliseconds define C as C.q > A.q) as m",
            "select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, A.q as x, B.q as " +
            "y all matches pattern (A B) define B as B.q > A.q) as m"),
        "d", List.of("IStream(select sym, q from S[partition by sym rows 3])",
            "DStream(select sym, price from S[range 5 milliseconds])"),
        "e", List.of("select sym, count(*) as n, min(price) as m from V group by sym", "select sym, q from V"),
        "f", List.of("select S.sym, S.q, T.rate from S[range 4 milliseconds], T[range 6 milliseconds] " +
            "where S.sym = T.sym"),
        "g", List.of("select sym, q from S where price > 3", "select sym, q, price from S where price > 5"),
        "v", List.of("select sym, q, price from S where q > 0", "select sym, q, price from S where q > 1")));

    @TempDir
    private Path directory;

    /** Rows or a change of the rules. */
    private record Action(Step step, List<Rule> rules)
    {
    }

    private static Rule rule(final String id, final int text)
    {
        final String partitionBy = id.equals("f") ? "S.sym" : "sym";
        return RuleRun.rule(id.equals("v") ? "V" : id, id.equals("v"), STATEMENTS.get(id).get(text), partitionBy);
    }

    private static List<Rule> rules(final Map<String, Integer> versions)
    {
        final List<Rule> rules = new ArrayList<>();
        // Views precede the rules that read them.
        versions.forEach((id, text) -> rules.add(id.equals("v") ? 0 : rules.size(), rule(id, text)));
        return rules;
    }

    private static List<Action> actions(final Random random, final Map<String, Integer> versions, final int count)
    {
        final List<Action> actions = new ArrayList<>();
        long time = 0;
        for (int i = 0; i < count; i++)
        {
            time += (1 + random.nextInt(2)) * MILLISECOND_NS;
            final boolean isOther = random.nextInt(5) == 0;
            actions.add(new Action(new Step(isOther ? "T" : "S", time, List.of(Arrays.asList(
                "s" + random.nextInt(SYMBOLS), (double)random.nextInt(10), random.nextInt(4))), List.of((byte)0)),
                null));
            if (random.nextInt(12) == 0)
            {
                actions.add(new Action(null, rules(changed(random, versions))));
            }
        }
        for (final String channel : List.of("S", "T"))
        {
            actions.add(
                new Action(new Step(channel, time + 50 * MILLISECOND_NS, List.of(), List.of()), null));
        }
        return actions;
    }

    /** Adds, removes or replaces rules. */
    private static Map<String, Integer> changed(final Random random, final Map<String, Integer> versions)
    {
        for (int changes = 1 + random.nextInt(2); changes > 0; changes--)
        {
            final List<String> ids = List.copyOf(STATEMENTS.keySet());
            final String id = ids.get(random.nextInt(ids.size()));
            if (versions.containsKey(id) && versions.size() > 2 && random.nextBoolean() && !id.equals("v"))
            {
                versions.remove(id);
            }
            else
            {
                versions.put(id, random.nextInt(STATEMENTS.get(id).size()));
            }
        }
        return versions;
    }

    private static Map<String, Integer> first(final Random random)
    {
        final Map<String, Integer> versions = new TreeMap<>();
        STATEMENTS.forEach((id, all) ->
        {
            if (id.equals("v") || random.nextBoolean())
            {
                versions.put(id, random.nextInt(all.size()));
            }
        });
        versions.put("a", 0);
        return versions;
    }

    /** The rows of all queries, by the first column. */
    private static Map<String, Map<Object, List<TestWiring.Row>>> partitions(
        final Function<String, List<TestWiring.Row>> rows)
    {
        final Map<String, Map<Object, List<TestWiring.Row>>> all = new TreeMap<>();
        STATEMENTS.keySet().forEach(query -> rows.apply(query).forEach(row -> all.computeIfAbsent(query,
            key -> new LinkedHashMap<>()).computeIfAbsent(row.values().get(0), key -> new ArrayList<>()).add(row)));
        return all;
    }

    /** The rules change while it runs or while it does not, and kills happen anywhere, also within a change. */
    @ParameterizedTest
    @CsvSource({"APPLICATION,1", "APPLICATION_TOTAL_ORDER,1", "APPLICATION,2", "APPLICATION_TOTAL_ORDER,2"})
    void shouldEmitEachRowOnceWhenRulesChangeAndItIsKilledAnywhere(final TimeKind time, final int workers)
        throws Exception
    {
        final long firstSeed = Long.getLong("seed", 20_261_130L);
        for (long seed = firstSeed; seed < firstSeed + Integer.getInteger("runs", 1); seed++)
        {
            System.out.println("seed=" + seed + " time=" + time + " workers=" + workers);
            final Random random = new Random(seed);
            final Map<String, Integer> versions = first(random);
            final List<Rule> start = rules(versions);
            final List<Action> actions = actions(random, versions, 60);
            final RuleRun whole = new RuleRun(start, time, workers).start();
            for (final Action action : actions)
            {
                if (action.step() == null)
                {
                    whole.change(action.rules());
                }
                else
                {
                    whole.send(action.step());
                }
            }
            assertThat(whole.running().drain(DRAIN_NS)).isTrue();
            whole.running().stop();
            final Path there = Files.createDirectories(directory.resolve("seed-" + seed));
            final Receiver received = new Interrupted(time, workers, there, random).run(start, actions);
            assertThat(partitions(received::rows)).as("seed=%d time=%s workers=%d", seed, time, workers)
                .isEqualTo(partitions(whole.wiring()::rows));
        }
    }

    /** A run that is stopped and killed at random. */
    private static final class Interrupted
    {
        private final TimeKind time;
        private final int workers;
        private final Path there;
        private final Random random;
        private final Receiver receiver = new Receiver();
        private TestStorage storage;
        private RuleRun run;
        private int copies;

        Interrupted(final TimeKind time, final int workers, final Path there, final Random random)
        {
            this.time = time;
            this.workers = workers;
            this.there = there;
            this.random = random;
            storage = new TestStorage(there.resolve("first"));
        }

        Receiver run(final List<Rule> first, final List<Action> actions) throws Exception
        {
            List<Rule> rules = first;
            begin(rules);
            for (final Action action : actions)
            {
                if (action.step() != null)
                {
                    run.send(action.step());
                    interrupt(rules);
                }
                else
                {
                    change(action.rules(), rules);
                    rules = action.rules();
                }
            }
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            receiver.commit();
            run.running().stop();
            receiver.commit();
            return receiver;
        }

        private void begin(final List<Rule> rules) throws Exception
        {
            receiver.isEager(true);
            run = new RuleRun(rules, time, workers).storedIn(storage.followed(random.nextInt(3) == 0))
                .receivedBy(receiver).start();
            receiver.isEager(false);
        }

        private void interrupt(final List<Rule> rules) throws Exception
        {
            switch (random.nextInt(16))
            {
                case 0 -> receiver.commit();
                case 1 ->
                {
                    receiver.commit();
                    run.running().snapshot(SHORT_NS);
                }
                case 2 ->
                {
                    kill(copy());
                    begin(rules);
                }
                case 3 ->
                {
                    stop();
                    begin(rules);
                }
                default ->
                {
                    // The rows go on.
                }
            }
        }

        private void stop()
        {
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            receiver.commit();
            assertThat(run.wiring().rejected()).isZero();
            run.running().stop();
        }

        private TestStorage copy()
        {
            try
            {
                assertThat(run.running().drain(DRAIN_NS)).isTrue();
                return storage.copyTo(there.resolve("copy-" + copies++));
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
        }

        /** Goes on with a copy; what the receiver has not committed by now is lost. */
        private void kill(final TestStorage copy)
        {
            storage = copy;
            receiver.kill();
            run.running().stop(SHORT_NS);
            receiver.kill();
        }

        private void change(final List<Rule> next, final List<Rule> before) throws Exception
        {
            final int way = random.nextInt(6);
            if (way == 0)
            {
                stop();
                begin(next);
            }
            else if (way == 1)
            {
                kill(copy());
                begin(next);
            }
            else
            {
                changeLive(next, before, way);
            }
        }

        private void changeLive(final List<Rule> next, final List<Rule> before, final int way) throws Exception
        {
            receiver.isEager(true);
            final TestStorage[] copy = new TestStorage[1];
            if (way == 2)
            {
                // Killed before any snapshot is written.
                receiver.whenAsked(() -> copy[0] = copy[0] == null ? copy() : copy[0]);
            }
            run.change(next, () ->
            {
                if (way == 3)
                {
                    copy[0] = copy();
                    deleteSome(copy[0]);
                }
            });
            receiver.isEager(false);
            receiver.whenAsked(() ->
            {
            });
            if (copy[0] != null)
            {
                kill(copy[0]);
                final boolean isCommitted = way == 3 && random.nextBoolean();
                begin(isCommitted ? next : before);
                if (!isCommitted)
                {
                    changeLive(next, before, 6);
                }
            }
            else if (random.nextInt(3) == 0)
            {
                kill(copy());
                begin(next);
            }
        }

        /** The process was killed when only some of the snapshots were written. */
        private void deleteSome(final TestStorage copy)
        {
            try
            {
                for (final String unit : copy.units())
                {
                    final List<Path> files =
                        copy.files(".state").stream().filter(file -> file.getParent().endsWith(unit)).toList();
                    if (random.nextInt(3) == 0 && files.size() > 1)
                    {
                        Files.delete(files.get(files.size() - 1));
                    }
                }
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Step step(final int millisecond, final String symbol, final int quantity)
    {
        return new Step("S", millisecond * MILLISECOND_NS, List.of(List.of(symbol, 1.0, quantity)), List.of((byte)0));
    }

    private static Rule query(final String id, final String text)
    {
        return RuleRun.rule(id, false, text, "sym");
    }

    private RuleRun started(final Path there, final Rule... rules) throws DeploymentException
    {
        return new RuleRun(List.of(rules), TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(new TestStorage(there))
            .start();
    }

    private static List<Object> last(final RuleRun run, final String query)
    {
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final List<TestWiring.Row> rows = run.wiring().rows(query);
        return rows.isEmpty() ? null : rows.get(rows.size() - 1).values();
    }

    private static List<String> words(final RuleChange change)
    {
        return change.queries().stream().map(query -> query.id() + ' ' + query.action() +
            (query.lostState().isEmpty() ? "" : " lost " + query.lostState())).toList();
    }

    @Test
    void shouldSayWhatIsLostWhenItStartsWithOtherRules() throws Exception
    {
        final Path there = directory.resolve("other");
        final RuleRun first = started(there, query("a", SUM), query("b", COUNT), query("c", COUNT));
        first.send(step(1, "s1", 5));
        first.send(step(2, "s1", 6));
        first.running().stop();

        final RuleRun second = started(there, query("a", SUM), query("b", SUM), query("d", COUNT));
        assertThat(words(second.begun())).containsExactly("a KEPT", "b RESTARTED lost groups", "d STARTED",
            "c STOPPED lost groups");
        second.send(step(3, "s1", 7));
        assertThat(last(second, "a")).isEqualTo(List.of("s1", 18));
        assertThat(last(second, "b")).isEqualTo(List.of("s1", 7));
        assertThat(last(second, "d")).isEqualTo(List.of("s1", 1L));
        second.running().stop();

        final RuleRun third = started(there, query("a", SUM), query("b", SUM), query("d", COUNT));
        assertThat(third.begun()).isNull();
        third.send(step(4, "s1", 1));
        assertThat(last(third, "a")).isEqualTo(List.of("s1", 19));
        assertThat(last(third, "b")).isEqualTo(List.of("s1", 8));
        assertThat(last(third, "d")).isEqualTo(List.of("s1", 2L));
        third.running().stop();
    }

    /** The snapshots of the change are written by then, and are not used. */
    @Test
    void shouldKeepTheEarlierRulesAndStateWhenTheNewOnesCannotBeStored() throws Exception
    {
        final Path there = directory.resolve("refused");
        final TestStorage storage = new TestStorage(there);
        final List<Rule> before = List.of(query("a", SUM));
        final List<Rule> after = List.of(query("a", SUM), query("b", COUNT));
        final RuleRun run = new RuleRun(before, TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(storage).start();
        run.send(step(1, "s1", 5));
        final Path obstacle = Files.createDirectory(there.resolve("snapshot-unfinished"));
        final boolean[] isAccepted = {false};
        assertThatThrownBy(() -> run.change(after, () -> isAccepted[0] = true))
            .isInstanceOf(DeploymentException.class).hasMessageContaining("JNL-0010");
        assertThat(isAccepted[0]).isTrue();
        Files.delete(obstacle);
        run.send(step(2, "s1", 6));
        assertThat(last(run, "a")).isEqualTo(List.of("s1", 11));
        assertThat(run.wiring().rows("b")).isEmpty();
        final TestStorage copy = storage.copyTo(directory.resolve("refused-copy"));
        assertThat(words(run.change(after))).containsExactly("a KEPT", "b STARTED");
        run.send(step(3, "s1", 7));
        assertThat(last(run, "a")).isEqualTo(List.of("s1", 18));
        assertThat(last(run, "b")).isEqualTo(List.of("s1", 1L));
        run.running().stop();
        final RuleRun again = new RuleRun(before, TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(copy).start();
        again.send(step(3, "s1", 8));
        assertThat(last(again, "a")).isEqualTo(List.of("s1", 19));
        again.running().stop();
    }

    /** The numbers of rows and the copies of outputs are those of the rules that continue. */
    @Test
    void shouldEmitEachRowOnceAfterARefusedChangeWhenSnapshotsAreThoseOfACopy() throws Exception
    {
        final Receiver receiver = new Receiver();
        receiver.isEager(true);
        final Path there = directory.resolve("copied");
        TestStorage storage = new TestStorage(there);
        final List<Rule> rules = List.of(query("a", SUM), query("b", COUNT));
        final RuleRun run = new RuleRun(rules, TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(storage.followed(true))
            .receivedBy(receiver).start();
        run.send(step(1, "s1", 5));
        final Path obstacle = Files.createDirectory(there.resolve("snapshot-unfinished"));
        assertThatThrownBy(() -> run.change(List.of(query("a", COUNT), query("b", SUM))))
            .hasMessageContaining("JNL-0010");
        Files.delete(obstacle);
        run.send(step(2, "s1", 6));
        assertThat(run.running().snapshot(DRAIN_NS)).isTrue();
        assertThat(run.running().statistics().get("snapshots").toString()).contains("usesStandby=true");
        run.send(step(3, "s1", 7));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        storage = storage.copyTo(directory.resolve("copied-copy"));
        run.running().stop();
        final RuleRun again = new RuleRun(rules, TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(storage)
            .receivedBy(receiver).start();
        again.send(step(4, "s1", 8));
        again.running().stop();
        receiver.commit();
        assertThat(inserted(receiver, "a")).containsExactly(5, 11, 18, 26);
        assertThat(inserted(receiver, "b")).containsExactly(1L, 2L, 3L, 4L);
    }

    private static List<Object> inserted(final Receiver receiver, final String query)
    {
        return receiver.rows(query).stream().filter(row -> row.kind() == EventBatch.INSERT)
            .map(row -> row.values().get(1)).toList();
    }

    @Test
    void shouldUseTheOtherSnapshotWhenTheNewestOneIsDamagedAfterAChange() throws Exception
    {
        final TestStorage storage = new TestStorage(directory.resolve("damaged"));
        final List<Rule> after = List.of(query("a", SUM), query("b", COUNT));
        final RuleRun run =
            new RuleRun(List.of(query("a", SUM)), TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(storage).start();
        run.send(step(1, "s1", 5));
        run.change(after);
        run.send(step(2, "s1", 6));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final TestStorage copy = storage.copyTo(directory.resolve("damaged-copy"));
        run.running().stop();
        final List<Path> snapshots = copy.files(".state");
        final Path newest = snapshots.get(snapshots.size() - 1);
        final byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(newest, bytes);
        final RuleRun again = new RuleRun(after, TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(copy).start();
        again.send(step(3, "s1", 7));
        assertThat(last(again, "a")).isEqualTo(List.of("s1", 18));
        assertThat(last(again, "b")).isEqualTo(List.of("s1", 2L));
        again.running().stop();
    }

    /** The rules of the stored state read a channel that the application no longer has. */
    @Test
    void shouldRefuseToStartWhenTheEarlierRulesAreImpossibleAndKeepTheirState() throws Exception
    {
        final Path there = directory.resolve("impossible");
        final Rule other = query("u", "select sym, sum(b) as s from T group by sym");
        final RuleRun first = started(there, query("a", SUM), other);
        first.send(step(1, "s1", 5));
        first.running().stop();
        assertThatThrownBy(() -> new RuleRun(List.of(query("a", SUM)), TimeKind.APPLICATION_TOTAL_ORDER, 1)
            .over(List.of("S")).storedIn(new TestStorage(there)).start()).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("CQL-8108").hasMessageContaining("uninstall the application");
        final RuleRun again = started(there, query("a", SUM));
        again.send(step(2, "s1", 6));
        assertThat(last(again, "a")).isEqualTo(List.of("s1", 11));
        again.running().stop();
        // The other rule has ended, but the one that runs was planned together with it.
        assertThatThrownBy(() -> new RuleRun(List.of(query("a", SUM)), TimeKind.APPLICATION_TOTAL_ORDER, 1)
            .over(List.of("S")).storedIn(new TestStorage(there)).start()).hasMessageContaining("CQL-8108");
    }

    /** A suspended application has not restored its state. */
    @Test
    void shouldRefuseAChangeBeforeItsStateIsRestored() throws Exception
    {
        final RuleRun run = new RuleRun(List.of(query("a", SUM)), TimeKind.APPLICATION_TOTAL_ORDER, 1)
            .storedIn(new TestStorage(directory.resolve("early"))).build();
        assertThatThrownBy(() -> run.change(List.of(query("a", COUNT)))).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("CQL-8108").hasMessageContaining("resume");
        run.running().stop();
    }

    /** Each rule runs separately after a change, and starts with its state nevertheless. */
    @Test
    void shouldKeepTheStateOfManyRulesThatWereAddedOneByOne() throws Exception
    {
        final Path there = directory.resolve("many");
        final List<Rule> rules = new ArrayList<>(List.of(query("q0", SUM)));
        RuleRun run = started(there, query("q0", SUM));
        for (int i = 1; i <= 20; i++)
        {
            run.send(step(i, "s1", 1));
            rules.add(query("q" + i, i % 2 == 0 ? COUNT : SUM));
            assertThat(words(run.change(List.copyOf(rules)))).hasSize(i + 1).allMatch(
                each -> each.endsWith(" KEPT") || each.equals("q" + (rules.size() - 1) + " STARTED"));
            if (i % 7 == 0)
            {
                run.running().stop();
                run = started(there, rules.toArray(new Rule[0]));
            }
        }
        run.running().stop();
        run = started(there, rules.toArray(new Rule[0]));
        run.send(step(21, "s1", 1));
        for (int i = 0; i <= 20; i++)
        {
            final Object expected = i % 2 == 0 && i > 0 ? (Object)(long)(21 - i) : (Object)(21 - i);
            assertThat(last(run, "q" + i)).as("q" + i).isEqualTo(List.of("s1", expected));
        }
        run.running().stop();
    }

    /** Statements over one channel run as one class: when one ends, the others continue in it, also after a start. */
    @Test
    void shouldKeepTheStateOfStatementsThatRanTogetherWithRemovedOnes() throws Exception
    {
        final Path there = directory.resolve("together");
        final Rule pairs = query("p", STATEMENTS.get("c").get(1));
        final RuleRun first = started(there, query("a", SUM), query("b", COUNT), pairs);
        first.send(step(1, "s1", 5));
        first.change(List.of(query("a", SUM), pairs));
        first.send(step(2, "s1", 6));
        first.running().stop();
        final RuleRun second = started(there, query("a", SUM), pairs);
        assertThat(second.begun()).isNull();
        second.send(step(3, "s1", 7));
        assertThat(last(second, "a")).isEqualTo(List.of("s1", 18));
        assertThat(last(second, "p")).isEqualTo(List.of("s1", 6, 7));
        assertThat(second.wiring().rows("b")).isEmpty();
        // A query of the same name begins without rows.
        second.change(List.of(query("a", SUM), pairs, query("b", COUNT)));
        second.send(step(4, "s1", 1));
        assertThat(last(second, "b")).isEqualTo(List.of("s1", 1L));
        second.running().stop();
    }

    /** Work in order is assigned to the workers in turn; its state is in the journal of its worker. */
    @Test
    void shouldRunOrderedRulesOnTheSameWorkerAfterChanges() throws Exception
    {
        final Path there = directory.resolve("ordered");
        final String text = "select count(*) as n, sum(q) as s from S[range 1 second]";
        final String joined = "select S.q as n, T.b as s from S[range 1 second], T[range 1 second] where S.sym = T.sym";
        final List<Rule> first = List.of(RuleRun.rule("a", false, text, null), RuleRun.rule("b", false, joined, null));
        final List<Rule> second = List.of(first.get(1), RuleRun.rule("c", false, text, null));
        RuleRun run = new RuleRun(first, TimeKind.APPLICATION, 2).storedIn(new TestStorage(there)).start();
        run.send(step(1, "s1", 5));
        run.change(second);
        for (int i = 2; i <= 4; i++)
        {
            run.send(step(i, "s1", 6));
            run.running().stop();
            run = new RuleRun(second, TimeKind.APPLICATION, 2).storedIn(new TestStorage(there)).start();
            assertThat(run.begun()).isNull();
        }
        run.send(step(5, "s1", 7));
        run.send(new Step("T", 6 * MILLISECOND_NS, List.of(), List.of()));
        run.send(step(7, "s1", 7));
        assertThat(last(run, "c")).isEqualTo(List.of(4L, 25));
        run.running().stop();
    }

    /** A source that sends rows again after a change: each query receives each row once. */
    @Test
    void shouldReceiveNumberedRowsOnceWhenTheyAreSentAgainAfterAChange() throws Exception
    {
        final String producer = "DurableRuleChangesTest";
        final TestStorage storage = new TestStorage(directory.resolve("again"));
        final List<Rule> after = List.of(query("a", SUM), query("b", STATEMENTS.get("b").get(0)));
        final RuleRun run =
            new RuleRun(List.of(query("a", SUM)), TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(storage).start();
        final int id = Producers.id(producer);
        for (int number = 1; number <= 5; number++)
        {
            run.send(step(number, "s1", 1), RowSequence.of(id, number));
        }
        run.change(after);
        for (int number = 3; number <= 8; number++)
        {
            run.send(step(number, "s1", 1), RowSequence.of(id, number));
        }
        assertThat(last(run, "a")).isEqualTo(List.of("s1", 8));
        final TestStorage copy = storage.copyTo(directory.resolve("again-copy"));
        run.running().stop();
        final RuleRun again = new RuleRun(after, TimeKind.APPLICATION_TOTAL_ORDER, 1).storedIn(copy).start();
        assertThat(((SequencedSink)again.input("S")).receivedFrom(producer)).isEqualTo(8);
        for (int number = 6; number <= 9; number++)
        {
            again.send(step(number, "s1", 1), RowSequence.of(id, number));
        }
        again.send(step(10, "s1", 0), RowSequence.of(id, 10));
        assertThat(last(again, "a")).isEqualTo(List.of("s1", 9));
        assertThat(last(again, "b")).isEqualTo(List.of("s1", 4, 5L));
        again.running().stop();
    }
}
