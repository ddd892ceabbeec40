package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.condition.CallMonitor;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.lane.Rejections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConditionsTest
{
    private static final long START_NS = 1_700_000_000_000_000_000L;

    private final TestNetwork net = new TestNetwork();
    private final ManualClock clock = new ManualClock(START_NS);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private Network network;

    ConditionsTest()
    {
        net.clock = clock;
    }

    @AfterEach
    void stop()
    {
        letGo.countDown();
        if (network != null)
        {
            network.stop();
        }
    }

    /** Throws when configured to. */
    private static final class MoodySink extends Parts.ColumnSink
    {
        boolean broken = true;

        @Override
        public void onBatch(final EventBatch batch) throws EventRejectedException
        {
            if (broken)
            {
                throw new IllegalStateException("no paper");
            }
            super.onBatch(batch);
        }
    }

    /** A sink that reports conditions. */
    private static final class Reporter extends Parts.ColumnSink implements StageContextAware
    {
        StageContext context;

        @Override
        public void setStageContext(final StageContext given)
        {
            context = given;
        }
    }

    /** A source whose run throws when configured to. */
    private static final class Feed extends Parts.ColumnSource implements RunnableBean
    {
        volatile boolean broken = true;

        @Override
        public void run()
        {
            if (broken)
            {
                throw new IllegalStateException("line is dead");
            }
        }

        @Override
        public void suspend()
        {
            // Ends by itself.
        }
    }

    /** Blocks its caller until the test releases it. */
    private final class Trap implements EventBatchSink
    {
        final CountDownLatch caught = new CountDownLatch(1);

        @Override
        public void onBatch(final EventBatch batch)
        {
            caught.countDown();
            try
            {
                letGo.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void shouldBeDegradedWhileASinkThrowsAndRecoverByItself() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        final MoodySink sink = new MoodySink();
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out").bean("out", sink).start();
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        source.send(1, 2, 3, 4);
        clock.advance(5_000_000_000L);
        source.send(5);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).singleElement().satisfies(condition ->
        {
            assertThat(condition.stage()).isEqualTo("out");
            assertThat(condition.code()).isEqualTo("EPN-0612");
            assertThat(condition.text()).contains("stage-failed", "no paper");
            assertThat(condition.sinceNs()).isEqualTo(START_NS);
            assertThat(condition.count()).isEqualTo(5);
        });
        assertThat(network.statistics().get("causes").toString()).contains("since=2023-11-14T22:13:20Z", "count=5");
        sink.broken = false;
        clock.advance(Rejections.EPISODE_NS);
        source.send(6);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        clock.advance(1);
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        assertThat(network.conditions()).isEmpty();
    }

    @Test
    void shouldBeginANewEpisodeWhenASinkThrowsAgainLater() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out")
            .bean("out", new MoodySink()).start();
        source.send(1, 2, 3);
        clock.advance(Rejections.EPISODE_NS + 1);
        source.send(4, 5);
        assertThat(network.conditions()).extracting(Condition::count).containsExactly(2L);
        assertThat(network.conditions()).extracting(Condition::sinceNs)
            .containsExactly(START_NS + Rejections.EPISODE_NS + 1);
        assertThat(TestNetwork.rejected(network, "out", "stage-failed")).isEqualTo(5);
    }

    @Test
    void shouldNotBeDegradedByRowsThatAreWrongThemselves() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out")
            .bean("out", new Parts.ColumnSink()).start();
        source.sender.reject(3, "not-a-number", "line=7");
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        source.sender.reject(1, "state-full", "LDG-0999 no room for another text");
        assertThat(network.conditions()).extracting(Condition::code).containsExactly("LDG-0999");
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
    }

    @Test
    void shouldShowWhatAStageRaisesUntilItClearsIt() throws Exception
    {
        final Reporter reporter = new Reporter();
        network = net.adapter("in", new Parts.ColumnSource(), "ticks").channel("ticks", Parts.TICK, "out")
            .bean("out", reporter).start();
        reporter.context.conditions().raise("ABC-0001", "the store is unavailable, reason=refused");
        clock.advance(1_000);
        reporter.context.conditions().raise("ABC-0001", "the store is unavailable, reason=no table");
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).containsExactly(
            new Condition("out", "ABC-0001", "the store is unavailable, reason=no table", START_NS, 2));
        network.suspend();
        assertThat(network.state()).isEqualTo(NetworkState.SUSPENDED);
        assertThat(network.conditions()).hasSize(1);
        network.resume();
        reporter.context.conditions().clear("ABC-0001");
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }

    @Test
    void shouldKeepABoundedNumberOfConditionsOfAStage()
    {
        final RaisedConditions raised = new RaisedConditions("out", clock);
        for (int i = 0; i < RaisedConditions.MAX_CODES + 5; i++)
        {
            raised.raise("ABC-" + (1000 + i), "x".repeat(10_000));
        }
        assertThat(raised.list()).hasSize(RaisedConditions.MAX_CODES + 1);
        assertThat(raised.list()).allSatisfy(condition -> assertThat(condition.text()).hasSizeLessThan(600));
        assertThat(raised.list()).filteredOn(condition -> condition.code().equals(RaisedConditions.FURTHER))
            .extracting(Condition::count).containsExactly(5L);
        raised.clear("ABC-1000");
        assertThat(raised.list()).hasSize(RaisedConditions.MAX_CODES - 1);
    }

    @Test
    void shouldBeDegradedWhenOneOfTwoSourcesFailsAndRunItAgainAlone() throws Exception
    {
        final Feed feed = new Feed();
        final Feed good = new Feed();
        good.broken = false;
        network = net.adapter("feed", feed, "ticks").adapter("good", good, "ticks")
            .channel("ticks", Parts.TICK, "out").bean("out", new Parts.ColumnSink()).start();
        TestNetwork.await("failed", () -> "failed".equals(TestNetwork.stage(network, "feed").get("run")));
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).singleElement().satisfies(condition ->
        {
            assertThat(condition.code()).isEqualTo("EPN-0630");
            assertThat(condition.stage()).isEqualTo("feed");
            assertThat(condition.text()).contains("line is dead");
        });
        good.send(1);
        feed.broken = false;
        assertThat(network.rerunFailed()).isEqualTo(1);
        TestNetwork.await("ran again", () -> "finished".equals(TestNetwork.stage(network, "feed").get("run")));
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        feed.send(2);
        assertThat(TestNetwork.figure(network, "out", "rowsIn")).isEqualTo(2);
        assertThat(network.rerunFailed()).isZero();
    }

    @Test
    void shouldBeFailedWhenNoSourceWorksAndSuspendAndResumeFromThere() throws Exception
    {
        final Feed feed = new Feed();
        network = net.adapter("feed", feed, "ticks").channel("ticks", Parts.TICK).start();
        TestNetwork.await("failed", () -> network.state() == NetworkState.FAILED);
        network.suspend();
        assertThat(network.state()).isEqualTo(NetworkState.SUSPENDED);
        assertThat(network.conditions()).extracting(Condition::code).containsExactly("EPN-0630");
        feed.broken = false;
        network.resume();
        TestNetwork.await("ran again", () -> "finished".equals(TestNetwork.stage(network, "feed").get("run")));
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        network.stop();
        assertThatThrownBy(network::rerunFailed).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNameTheSinkThatDoesNotReturnAndWhereItStands() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        final Trap trap = new Trap();
        class Relay extends Parts.ColumnSource implements EventBatchSink
        {
            @Override
            public void onBatch(final EventBatch given)
            {
                send(given.longs(0)[0]);
            }
        }
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "relay")
            .bean("relay", new Relay(), "more").channel("more", Parts.TICK, "trap").bean("trap", trap).start();
        final Thread caller = new Thread(() -> source.send(1), "the-feeder");
        caller.start();
        trap.caught.await();
        network.inspect();
        clock.advance(CallMonitor.LIMIT_NS - 1);
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
        clock.advance(1);
        try (LogLines log = new LogLines(NetworkHealth.class))
        {
            network.inspect();
            network.inspect();
            assertThat(log.lines()).singleElement().satisfies(line ->
                assertThat(line).startsWith("application DEGRADED, application=app stage=trap cause=EPN-0631"));
        }
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).singleElement().satisfies(condition ->
        {
            assertThat(condition.stage()).isEqualTo("trap");
            assertThat(condition.text()).contains("for 10 s", "thread=the-feeder", "ConditionsTest$Trap.onBatch(");
            assertThat(condition.sinceNs()).isEqualTo(START_NS);
        });
        letGo.countDown();
        caller.join();
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }
}
