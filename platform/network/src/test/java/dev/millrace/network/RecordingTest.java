package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.time.ManualClock;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.recording.JournalEventStore;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.DatasetRecords;
import dev.millrace.network.spi.DatasetSummary;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.EventStoreException;
import dev.millrace.network.spi.Predecessor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records rows in real journals and plays them back. */
@Timeout(60)
class RecordingTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long START_NS = 1_000_000 * SECOND_NS;

    private final ManualClock clock = new ManualClock(START_NS);
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final Parts.ColumnSink sink = new Parts.ColumnSink();
    private final List<Network> networks = new ArrayList<>();
    private final TestNetwork net = new TestNetwork();
    private JournalEventStore store;

    @TempDir
    private Path directory;

    @AfterEach
    void stop()
    {
        networks.forEach(Network::stop);
    }

    private TestNetwork prepared()
    {
        return prepared(net);
    }

    private TestNetwork prepared(final TestNetwork network)
    {
        if (store == null)
        {
            store = new JournalEventStore("events", directory, 1 << 28, 0, System::currentTimeMillis);
        }
        network.events = network.events == null ? store : network.events;
        network.clock = clock;
        network.providers.put("echo", new EchoProvider());
        return network;
    }

    private Network start(final TestNetwork network) throws DeploymentException
    {
        final Network started = network.start();
        networks.add(started);
        return started;
    }

    private TestNetwork simple()
    {
        return prepared().adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out").bean("out", sink);
    }

    private static Map<String, Object> figures(final Network network, final String stage, final String kind)
    {
        return figuresOf(network.recordings().figures().stream()
            .filter(each -> each.get("stage").equals(stage) && each.containsKey(kind)).findFirst().orElseThrow()
            .get(kind));
    }

    @SuppressWarnings("unchecked") // The figures are maps of strings to values by contract.
    private static Map<String, Object> figuresOf(final Object map)
    {
        return (Map<String, Object>)map;
    }

    private static void awaitEnd(final Network network, final String stage)
    {
        TestNetwork.await("end of playback", () ->
            !List.of("PLAYING", "SCHEDULED").contains(figures(network, stage, "playback").get("state")));
    }

    private PlaybackSettings settings(final TimeRange range, final TimeRange schedule, final double speed,
        final boolean repeat)
    {
        return new PlaybackSettings("ticks", "d", List.of(), null, range, schedule, false, speed, repeat,
            SourcePosition.NONE);
    }

    @Test
    void shouldPlayBackWhatLeftAChannel() throws Exception
    {
        final Network network = start(simple().record("ticks", "d").playback("ticks", "d"));
        source.send(1, 2, 3);
        source.send(LongStream.range(0, 256).toArray());
        network.recordings().stopRecording("ticks");
        final List<Long> before = List.copyOf(sink.ids);
        sink.ids.clear();
        clock.advance(1);
        network.recordings().startPlayback(net.playbackSettings("ticks", "d"));
        awaitEnd(network, "ticks");
        assertThat(sink.ids).isEqualTo(before).hasSize(259);
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "FINISHED")
            .containsEntry("rows", 259L).containsEntry("batches", 2L).containsEntry("passes", 1);
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "STOPPED")
            .containsEntry("rows", 259L).containsEntry("rowsNotRecorded", 0L);
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        assertThat(TestNetwork.stage(network, "ticks#playback")).containsEntry("kind", "playback");
    }

    @Test
    void shouldPlayBackRowsOfAnEarlierNetworkIntoTheChannelsBelowAnAdapter() throws Exception
    {
        final Network first = start(simple().record("in", "d"));
        source.send(7, 8);
        first.stop();
        final TestNetwork next = prepared(new TestNetwork()).adapter("in", new Parts.ColumnSource(), "ticks", "more")
            .channel("ticks", Parts.TICK, "out").channel("more", Parts.TICK, "out").bean("out", sink);
        sink.ids.clear();
        final Network second = start(next.playback("in", "d"));
        clock.advance(1);
        second.recordings().startPlayback(next.playbackSettings("in", "d"));
        awaitEnd(second, "in");
        assertThat(sink.ids).containsExactlyInAnyOrder(7L, 8L, 7L, 8L);
    }

    @Test
    void shouldKeepKindsOfRelationsAndNulls() throws Exception
    {
        final Parts.TableSource table = new Parts.TableSource();
        final Parts.TableSink changes = new Parts.TableSink();
        final Network network = start(prepared().adapter("in", table, "rows").relation("rows", Parts.TICK,
            List.of("id"), "out").bean("out", changes).record("in", "d").playback("in", "d"));
        table.sender.sendInsertEvent(new TupleEvent(Parts.TICK, 1L, null, null));
        table.sender.sendDeleteEvent(new TupleEvent(Parts.TICK, 1L, null, null));
        network.recordings().stopRecording("in");
        final List<String> before = List.copyOf(changes.changes);
        changes.changes.clear();
        clock.advance(1);
        network.recordings().startPlayback(net.playbackSettings("in", "d"));
        awaitEnd(network, "in");
        assertThat(changes.changes).isEqualTo(before).hasSize(2);
    }

    @Test
    void shouldPlayBackResultsOfQueriesIntoTheChannelsThatTakeThem() throws Exception
    {
        final EventType number = EventType.tuple("Number", new EventProperty("id", CqlType.BIGINT));
        final Parts.ColumnSink evens = new Parts.ColumnSink();
        final Network network = start(prepared().adapter("in", source, "ticks").channel("ticks", Parts.TICK, "echo")
            .processor("echo", 1, "all", "even").selecting("all", Parts.TICK, List.of("all"), "out")
            .selecting("even", number, List.of("even"), "evens").bean("out", sink).bean("evens", evens)
            .record("echo", "d").playback("echo", "d"));
        source.send(1, 2, 3);
        network.recordings().stopRecording("echo");
        assertThat(figures(network, "echo", "recording")).containsEntry("rows", 4L);
        clock.advance(1);
        network.recordings().startPlayback(net.playbackSettings("echo", "d"));
        awaitEnd(network, "echo");
        assertThat(sink.ids).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
        assertThat(evens.ids).containsExactly(2L, 2L);
        network.recordings().startPlayback(net.playbackSettings("echo", "d", "Number"));
        awaitEnd(network, "echo");
        assertThat(sink.ids).hasSize(6);
        assertThat(evens.ids).containsExactly(2L, 2L, 2L);
    }

    @Test
    void shouldKeepTheDistancesOfTheRecordingDividedByTheSpeed() throws Exception
    {
        final Network network = start(simple().record("ticks", "d").playback("ticks", "d"));
        source.send(1);
        clock.advance(10 * SECOND_NS);
        source.send(2);
        network.recordings().stopRecording("ticks");
        sink.ids.clear();
        clock.advance(SECOND_NS);
        network.recordings().startPlayback(settings(null, null, 2, false));
        // The row is emitted before it is counted.
        TestNetwork.await("first row", () -> figures(network, "ticks", "playback").get("position") != null);
        clock.advance(5 * SECOND_NS - 1);
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "PLAYING")
            .containsEntry("position", "1970-01-12T13:46:40Z");
        assertThat(sink.ids).containsExactly(1L);
        clock.advance(1);
        awaitEnd(network, "ticks");
        assertThat(sink.ids).containsExactly(1L, 2L);
    }

    @Test
    void shouldSelectRowsByTheTimeOfTheirRecording() throws Exception
    {
        final Network network = start(simple().record("ticks", "d").playback("ticks", "d"));
        for (int i = 0; i < 4; i++)
        {
            source.send(i);
            clock.advance(SECOND_NS);
        }
        sink.ids.clear();
        network.recordings().startPlayback(
            settings(new TimeRange(START_NS + SECOND_NS, START_NS + 3 * SECOND_NS), null, 1_000_000, false));
        TestNetwork.await("first row", () -> sink.ids.size() == 1);
        clock.advance(SECOND_NS);
        awaitEnd(network, "ticks");
        assertThat(sink.ids).containsExactly(1L, 2L);
        assertThatThrownBy(() -> network.recordings().startPlayback(
            settings(new TimeRange(0, START_NS), null, 1, false))).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("EPN-0526").hasMessageContaining("no rows to play back")
            .hasMessageContaining("recorded=1970-01-12T13:46:40Z to 1970-01-12T13:46:");
    }

    @Test
    void shouldRecordOnlyInItsTimeRange() throws Exception
    {
        simple().recordings.add(new RecordingSettings("ticks", "d", List.of("Tick"), "events",
            new TimeRange(START_NS + 1, START_NS + 2), new SourcePosition("test.xml", 9, 9)));
        final Network network = start(net);
        source.send(1);
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "WAITING");
        clock.advance(1);
        source.send(2);
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "RECORDING");
        clock.advance(1);
        source.send(3);
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "ENDED").containsEntry("rows", 1L);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldRepeatUntilItsScheduleEnds() throws Exception
    {
        final Network network = start(simple().record("ticks", "d").playback("ticks", "d"));
        source.send(1);
        clock.advance(SECOND_NS);
        source.send(2);
        network.recordings().stopRecording("ticks");
        sink.ids.clear();
        clock.advance(SECOND_NS);
        network.recordings().startPlayback(settings(null,
            new TimeRange(START_NS + 3 * SECOND_NS, START_NS + 5 * SECOND_NS), 1, true));
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "SCHEDULED");
        clock.advance(SECOND_NS);
        TestNetwork.await("first row", () -> sink.ids.size() == 1);
        clock.advance(SECOND_NS);
        TestNetwork.await("second pass", () -> sink.ids.size() == 3);
        clock.advance(SECOND_NS);
        awaitEnd(network, "ticks");
        assertThat(sink.ids).containsExactly(1L, 2L, 1L);
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "FINISHED").containsEntry("passes", 1);
    }

    @Test
    void shouldStopAPlaybackByCommandAndBySuspension() throws Exception
    {
        final Network network = start(simple().record("ticks", "d").playback("ticks", "d"));
        source.send(1);
        clock.advance(SECOND_NS);
        source.send(2);
        clock.advance(SECOND_NS);
        network.recordings().startPlayback(net.playbackSettings("ticks", "d"));
        assertThatThrownBy(() -> network.recordings().startPlayback(net.playbackSettings("ticks", "d")))
            .hasMessageContaining("already playing back");
        assertThat(network.recordings().stopPlayback("ticks")).isTrue();
        awaitEnd(network, "ticks");
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "STOPPED");
        assertThat(network.recordings().stopPlayback("ticks")).isFalse();
        network.recordings().startPlayback(net.playbackSettings("ticks", "d"));
        network.suspend();
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "STOPPED");
        assertThatThrownBy(() -> network.recordings().startPlayback(net.playbackSettings("ticks", "d")))
            .hasMessageContaining("suspended");
        network.resume();
        clock.advance(1);
        sink.ids.clear();
        network.recordings().startPlayback(settings(null, null, 1_000_000, false));
        TestNetwork.await("first row", () -> sink.ids.size() == 1);
        clock.advance(SECOND_NS);
        awaitEnd(network, "ticks");
        assertThat(figures(network, "ticks", "playback")).containsEntry("state", "FINISHED");
    }

    @Test
    void shouldRecordAndStopByCommandWhileRowsFlow() throws Exception
    {
        final Network network = start(simple());
        source.send(1);
        final RecordingSettings settings =
            new RecordingSettings("in", "d", List.of(), null, null, SourcePosition.NONE);
        network.recordings().startRecording(settings);
        source.send(2, 3);
        assertThatThrownBy(() -> network.recordings().startRecording(settings)).hasMessageContaining("EPN-0525")
            .hasMessageContaining("already being recorded");
        assertThat(network.recordings().stopRecording("in")).isTrue();
        source.send(4);
        assertThat(network.recordings().stopRecording("ticks")).isFalse();
        assertThat(figures(network, "in", "recording")).containsEntry("rows", 2L).containsEntry("batches", 1L);
        network.recordings().startRecording(settings);
        source.send(5);
        assertThat(figures(network, "in", "recording")).containsEntry("state", "RECORDING").containsEntry("rows", 1L);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void shouldDegradeAndCountRowsWhenTheJournalFails() throws Exception
    {
        final Failing failing = new Failing();
        net.events = failing;
        final Network network = start(simple().record("ticks", "d"));
        source.send(1);
        failing.isFull = true;
        source.send(2, 3);
        failing.isFull = false;
        source.send(4);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L, 4L);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).extracting(Condition::stage, Condition::code)
            .containsExactly(Tuple.tuple("ticks", "EPN-0640"));
        assertThat(network.conditions().get(0).text()).contains("dataset=d", "JNL-0003", "start recording again");
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "FAILED").containsEntry("rows", 1L)
            .containsEntry("rowsNotRecorded", 3L);
        network.recordings().startRecording(net.recordings.get(0));
        source.send(5);
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "RECORDING");
    }

    @Test
    void shouldContinueRecordingWhenBeansAreReplacedAndNotWhenParametersDiffer() throws Exception
    {
        final Network network = start(simple().record("ticks", "d").playback("ticks", "d"));
        source.send(1);
        final Parts.ColumnSink next = new Parts.ColumnSink();
        final NetworkReplacement replacement = replacement(network, next, "d");
        assertThat(replacement.obstacles()).isEmpty();
        replacement.activate(Predecessor.NONE);
        assertThat(replacement.apply()).isNotNull();
        replacement.end();
        source.send(2);
        assertThat(next.ids).containsExactly(2L);
        assertThat(figures(network, "ticks", "recording")).containsEntry("rows", 2L);
        clock.advance(1);
        network.recordings().startPlayback(net.playbackSettings("ticks", "d"));
        awaitEnd(network, "ticks");
        assertThat(next.ids).containsExactly(2L, 1L, 2L);
        assertThat(replacement(network, sink, "other").obstacles())
            .containsExactly("record-parameters differ", "playback-parameters differ");
    }

    private NetworkReplacement replacement(final Network network, final Parts.ColumnSink next, final String dataset)
        throws DeploymentException
    {
        return new NetworkReplacement(network, prepared(new TestNetwork()).adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, "out").bean("out", next).record("ticks", dataset)
            .playback("ticks", dataset).prepare(), id -> id.equals("out") ? "its class differs" : null);
    }

    /** A store that can be full, delayed, and lose rows. */
    private final class Failing implements EventStore
    {
        private final EventStore real =
            new JournalEventStore("events", directory, 1 << 28, 0, System::currentTimeMillis);
        private boolean isFull;
        private volatile String problem;
        private volatile long lostRows;

        @Override
        public String name()
        {
            return real.name();
        }

        @Override
        public DatasetLog open(final String dataset, final String holder)
        {
            final DatasetLog log = real.open(dataset, holder);
            return new DatasetLog()
            {
                @Override
                public void append(final byte[] bytes, final int length)
                {
                    if (isFull)
                    {
                        throw new EventStoreException(JournalErrorCode.FULL, "the disk has no space for the journal",
                            null);
                    }
                    log.append(bytes, length);
                }

                @Override
                public void onFileStart(final Runnable action)
                {
                    log.onFileStart(action);
                }

                @Override
                public String problem()
                {
                    return problem;
                }

                @Override
                public long lostRows()
                {
                    return lostRows;
                }

                @Override
                public void close()
                {
                    log.close();
                }
            };
        }

        @Override
        public DatasetRecords openReader(final String dataset, final TimeRange period)
        {
            return real.openReader(dataset, period);
        }

        @Override
        public List<String> datasets()
        {
            return real.datasets();
        }

        @Override
        public DatasetSummary summary(final String dataset)
        {
            return real.summary(dataset);
        }

        @Override
        public void delete(final String dataset)
        {
            real.delete(dataset);
        }
    }

    @Test
    void shouldBeDegradedWhileTheStoreCannotStoreRows() throws Exception
    {
        final Failing failing = new Failing();
        net.events = failing;
        final Network network = start(simple().record("ticks", "d"));
        source.send(1, 2, 3);
        failing.problem = "connection refused";
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).extracting(Condition::stage, Condition::code)
            .containsExactly(Tuple.tuple("ticks", "EPN-0642"));
        assertThat(network.conditions().get(0).text()).contains("dataset=d", "cause=connection refused", "buffered");
        assertThat(network.conditions().get(0).count()).isEqualTo(1);
        failing.problem = null;
        failing.lostRows = 2;
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        assertThat(figures(network, "ticks", "recording")).containsEntry("state", "RECORDING").containsEntry("rows", 1L)
            .containsEntry("rowsNotRecorded", 2L);
    }

    @Test
    void shouldDegradeWhenAnotherApplicationRecordsIntoTheDataset() throws Exception
    {
        start(simple().record("ticks", "d"));
        final TestNetwork other = prepared(new TestNetwork()).adapter("in", new Parts.ColumnSource(), "ticks")
            .channel("ticks", Parts.TICK, "out").bean("out", new Parts.ColumnSink());
        final Network second = start(other.record("ticks", "d"));
        assertThat(second.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(second.conditions().get(0).text()).contains("another stage records", "stage=app/ticks");
    }

    private void isRefused(final TestNetwork network, final String code, final String... texts)
    {
        assertThatThrownBy(() -> networks.add(network.build())).isInstanceOf(DeploymentException.class)
            .hasMessageContaining(code).hasMessageContainingAll(texts).hasMessageContaining("test.xml:");
    }

    @Test
    void shouldRefuseToRecordWithoutAnEventStore() throws Exception
    {
        simple().events = null;
        isRefused(net.record("ticks", "d").playback("ticks", "d"), "EPN-0524", "recording needs an event store",
            "playback needs", "<event-store>");
    }

    @Test
    void shouldRefuseSettingsThatCannotWork() throws Exception
    {
        isRefused(simple().record("ticks", "../d").record("in", "d", "Tock").record("out", "e").playback("in", ".d"),
            "EPN-0525", "dataset-name=../d", "event-type=Tock", "event types that leave the stage: Tick",
            "none leave this one, stage=out", "EPN-0526", "dataset-name=.d");
    }

    @Test
    void shouldRefuseAnotherProvider() throws Exception
    {
        simple().recordings.add(new RecordingSettings("in", "d", List.of(), "bdb", null,
            new SourcePosition("test.xml", 1, 1)));
        isRefused(net, "EPN-0525", "provider-name=bdb", "the server has the event store events");
    }

    @Test
    void shouldRefuseTwoRecordingsIntoOneDatasetAndPlaybackUpstream() throws Exception
    {
        isRefused(simple().record("ticks", "d").record("in", "d").playback("in", "d"), "EPN-0525",
            "stages=ticks, in", "EPN-0526", "recorded by=ticks played back by=in");
    }

    @Test
    void shouldRefuseToRecordObjects() throws Exception
    {
        final EventType type = EventType.tuple("Thing", new EventProperty("thing", CqlType.OBJECT));
        isRefused(prepared().adapter("in", source, "things").channel("things", type, "out")
            .bean("out", new Parts.ObjectSink()).record("things", "d"), "EPN-0525", "property=thing");
    }

    @Test
    void shouldRefuseToPlayBackWhatIsNotThereOrDiffers() throws Exception
    {
        final Network first = start(simple().record("ticks", "d"));
        source.send(1);
        first.stop();
        clock.advance(1);
        final EventType changed = EventType.tuple("Tick", new EventProperty("id", CqlType.INT),
            new EventProperty("symbol", CqlType.CHAR), new EventProperty("volume", CqlType.INT));
        final EventType other = EventType.tuple("Quote", new EventProperty("id", CqlType.BIGINT));
        final TestNetwork next = prepared(new TestNetwork()).adapter("in", new Parts.ColumnSource(), "ticks")
            .channel("ticks", changed, "out").bean("out", new Parts.ColumnSink())
            .adapter("quotes", new Parts.ColumnSource(), "quote").channel("quote", other, "out");
        final Network network = start(next.playback("ticks", "d").playback("quote", "d"));
        assertThatThrownBy(() -> network.recordings().startPlayback(next.playbackSettings("ticks", "d")))
            .hasMessageContainingAll("EPN-0526", "has changed", "recorded=id:bigint now=id:int",
                "removed=price:double", "added=volume:int");
        assertThatThrownBy(() -> network.recordings().startPlayback(next.playbackSettings("quote", "d")))
            .hasMessageContainingAll("EPN-0526", "cannot emit", "type=Tick", "types of the stage=Quote");
        assertThatThrownBy(() -> network.recordings().startPlayback(next.playbackSettings("ticks", "e")))
            .hasMessageContainingAll("EPN-0526", "no such dataset", "dataset=e", "datasets of the event store: d");
        assertThatThrownBy(() -> network.recordings().startPlayback(next.playbackSettings("in", "d")))
            .hasMessageContainingAll("EPN-0526", "not configured for playback", "<playback-parameters>");
    }

    @Test
    void shouldRaiseAConditionWhenAnAutomaticPlaybackCannotWork() throws Exception
    {
        simple().playbacks.add(new PlaybackSettings("ticks", "none", List.of(), null, TimeRange.ALL, null, true, 1,
            false, new SourcePosition("test.xml", 1, 1)));
        final Network network = start(net);
        TestNetwork.await("condition", () -> network.state() == NetworkState.DEGRADED);
        assertThat(network.conditions()).extracting(Condition::code).containsExactly("EPN-0641");
        assertThat(network.recordings().stopPlayback("ticks")).isFalse();
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }
}
