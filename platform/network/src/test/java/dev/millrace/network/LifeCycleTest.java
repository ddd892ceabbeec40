package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.lifecycle.SuspendableBean;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.DeploymentException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LifeCycleTest
{
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final TestNetwork net = new TestNetwork();
    private Network network;

    LifeCycleTest()
    {
        net.providers.put("echo", new EchoProvider());
    }

    @AfterEach
    void stop()
    {
        if (network != null)
        {
            network.stop();
        }
    }

    /** Records every callback. */
    private class Full extends Parts.ColumnSource implements StageContextAware, InitializingBean, ActivatableBean,
        RunnableBean, ResumableBean, DisposableBean, EventBatchSink, StatisticsSource
    {
        final String name;
        StageContext context;
        RuntimeException failRun;
        Exception failActivate;
        private volatile boolean running;

        Full(final String name)
        {
            this.name = name;
        }

        @Override
        public void setStageContext(final StageContext given)
        {
            context = given;
            calls.add(name + ".context");
        }

        @Override
        public void afterPropertiesSet()
        {
            calls.add(name + ".properties");
        }

        @Override
        public void setBatchSender(final EventBatchSender given)
        {
            super.setBatchSender(given);
            calls.add(name + ".sender");
        }

        @Override
        public void afterConfigurationActive() throws Exception
        {
            calls.add(name + ".active");
            if (failActivate != null)
            {
                throw failActivate;
            }
        }

        @Override
        public synchronized void run()
        {
            calls.add(name + ".run");
            if (failRun != null)
            {
                throw failRun;
            }
            running = true;
            while (running)
            {
                try
                {
                    wait();
                }
                catch (final InterruptedException e)
                {
                    running = false;
                }
            }
            calls.add(name + ".end");
        }

        @Override
        public void suspend()
        {
            TestNetwork.await("running", () -> running || failRun != null);
            calls.add(name + ".suspend");
            synchronized (this)
            {
                running = false;
                notifyAll();
            }
        }

        @Override
        public void beforeResume()
        {
            calls.add(name + ".resume");
        }

        @Override
        public void destroy()
        {
            calls.add(name + ".destroy");
        }

        @Override
        public void onBatch(final EventBatch lent)
        {
            calls.add(name + ".batch" + lent.size());
        }

        @Override
        public Map<String, Object> statistics()
        {
            return Map.of("name", name);
        }
    }

    @Test
    void shouldCallBackInTheOrderOfTheLifeCycle() throws Exception
    {
        final Full top = new Full("top");
        final Full below = new Full("below");
        net.channel("second", Parts.TICK).adapter("top", top, "first").channel("first", Parts.TICK, "below")
            .bean("below", below, "second");
        network = net.build();
        assertThat(calls).containsExactly("top.context", "top.properties", "top.sender", "top.active",
            "below.context", "below.properties", "below.sender", "below.active");
        assertThat(network.state()).isEqualTo(NetworkState.READY);
        assertThat(top.context.applicationName()).isEqualTo("app");
        assertThat(top.context.stageId()).isEqualTo("top");
        assertThat(top.context.eventTypes().eventType("Tick")).isSameAs(Parts.TICK);
        assertThat(top.context.clock()).isSameAs(net.clock);
        calls.clear();
        network.start();
        TestNetwork.await("both run", () -> calls.size() == 2);
        assertThat(calls).containsExactlyInAnyOrder("below.run", "top.run");
        assertThat(TestNetwork.stage(network, "top")).containsEntry("run", "running")
            .containsEntry("own", Map.of("name", "top"));
        calls.clear();
        network.suspend();
        assertThat(calls).containsExactly("top.suspend", "top.end", "below.suspend", "below.end");
        assertThat(network.state()).isEqualTo(NetworkState.SUSPENDED);
        calls.clear();
        network.resume();
        TestNetwork.await("both run", () -> calls.size() == 4);
        assertThat(calls).contains("below.resume", "below.run", "top.resume", "top.run");
        assertThat(calls.indexOf("below.resume")).isLessThan(calls.indexOf("top.resume"));
        calls.clear();
        network.stop();
        assertThat(calls).containsExactly("top.suspend", "top.end", "below.suspend", "below.end",
            "below.destroy", "top.destroy");
        assertThat(network.state()).isEqualTo(NetworkState.STOPPED);
        network.stop();
        assertThatThrownBy(network::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNameRunThreadsAfterApplicationAndStage() throws Exception
    {
        final List<String> names = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch ran = new CountDownLatch(1);
        network = net.adapter("feed", new RunnableBean()
        {
            @Override
            public void run()
            {
                names.add(Thread.currentThread().getName());
                ran.countDown();
            }

            @Override
            public void suspend()
            {
                // Has ended by itself.
            }
        }).start();
        ran.await();
        assertThat(names).containsExactly("app/feed");
        TestNetwork.await("finished", () -> "finished".equals(TestNetwork.stage(network, "feed").get("run")));
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }

    @Test
    void shouldUndoEverythingWhenABeanRefusesToStart() throws Exception
    {
        final Full first = new Full("first");
        final Full second = new Full("second");
        final Full third = new Full("third");
        second.failActivate = new java.io.IOException("port in use, port=9001");
        net.adapter("first", first, "ticks").adapter("second", second, "ticks").adapter("third", third, "ticks")
            .channel("ticks", Parts.TICK);
        assertThatThrownBy(net::build).isInstanceOf(DeploymentException.class).hasMessageContaining("EPN-0516")
            .hasMessageContaining("test.xml:2:3").hasMessageContaining("stage=second")
            .hasMessageContaining("port in use, port=9001").hasRootCauseInstanceOf(java.io.IOException.class);
        assertThat(calls).containsExactly("first.context", "first.properties", "first.sender", "first.active",
            "second.context", "second.properties", "second.sender", "second.active",
            "second.destroy", "first.destroy");
        first.send(1);
    }

    @Test
    void shouldReportASourceThatFailsAndRunItAgainAfterResume() throws Exception
    {
        final Full source = new Full("source");
        final Parts.ColumnSource other = new Parts.ColumnSource();
        final Parts.ColumnSink sink = new Parts.ColumnSink();
        source.failRun = new IllegalStateException("line is dead");
        network = net.adapter("in", source, "ticks").adapter("other", other, "ticks")
            .channel("ticks", Parts.TICK, "out").bean("out", sink).start();
        TestNetwork.await("failed", () -> network.state() == NetworkState.DEGRADED);
        assertThat(TestNetwork.stage(network, "in")).containsEntry("run", "failed");
        assertThat((String)TestNetwork.stage(network, "in").get("failure")).contains("line is dead");
        other.send(1);
        assertThat(sink.ids).containsExactly(1L);
        network.suspend();
        source.failRun = null;
        network.resume();
        TestNetwork.await("runs", () -> network.state() == NetworkState.RUNNING);
        assertThat(TestNetwork.stage(network, "in")).doesNotContainKey("failure");
    }

    @Test
    void shouldRejectWhatIsSentWhileItDoesNotRun() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        final Parts.ColumnSink sink = new Parts.ColumnSink();
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out").bean("out", sink).build();
        source.send(1);
        network.start();
        source.send(2);
        network.suspend();
        network.suspend();
        source.send(3, 4);
        network.resume();
        source.send(5);
        assertThatThrownBy(network::resume).isInstanceOf(IllegalStateException.class);
        network.stop();
        source.send(6);
        assertThatThrownBy(network::suspend).isInstanceOf(IllegalStateException.class);
        assertThat(sink.ids).containsExactly(2L, 5L);
        assertThat(TestNetwork.rejected(network, "in", "not-started")).isEqualTo(1);
        assertThat(TestNetwork.rejected(network, "in", "suspended")).isEqualTo(2);
        assertThat(TestNetwork.rejected(network, "in", "stopped")).isEqualTo(1);
        source.sender.reject(3, "not-a-number", "line=7");
        assertThat(TestNetwork.rejected(network, "in", "not-a-number")).isEqualTo(3);
    }

    @Test
    void shouldSuspendABeanOnceWhenItIsStoppedWhileSuspended() throws Exception
    {
        class Pump extends Parts.ColumnSource implements SuspendableBean, ResumableBean
        {
            @Override
            public void suspend()
            {
                calls.add("suspend");
            }

            @Override
            public void beforeResume()
            {
                calls.add("resume");
            }
        }

        network = net.adapter("in", new Pump(), "ticks").channel("ticks", Parts.TICK).start();
        network.suspend();
        network.resume();
        network.suspend();
        network.stop();
        assertThat(calls).containsExactly("suspend", "resume", "suspend");
    }

    @Test
    void shouldLetQueuedRowsThroughABeanBeforeItIsSuspended() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        final Parts.ColumnSink sink = new Parts.ColumnSink();
        class Relay extends Parts.ColumnSource implements EventBatchSink
        {
            @Override
            public void onBatch(final EventBatch given)
            {
                final long[] ids = java.util.Arrays.copyOf(given.longs(0), given.size());
                send(ids);
            }
        }
        final Relay relay = new Relay();
        network = net.adapter("in", source, "first")
            .channel("first", Parts.TICK, new Queue(1, 10_000), TestNetwork.NO_HEARTBEAT, "relay")
            .bean("relay", relay, "second").channel("second", Parts.TICK, "out").bean("out", sink).start();
        for (long i = 0; i < 1000; i++)
        {
            source.send(i);
        }
        network.suspend();
        assertThat(sink.ids).hasSize(1000);
        assertThat(TestNetwork.figure(network, "relay", "rowsRejected")).isZero();
    }

    @Test
    void shouldReportAStageThatCannotBeSuspendedAndSuspendTheOthers() throws Exception
    {
        final Full good = new Full("good");
        final RunnableBean bad = new RunnableBean()
        {
            @Override
            public void run()
            {
                // Ends at once.
            }

            @Override
            public void suspend() throws Exception
            {
                throw new java.io.IOException("stuck valve");
            }
        };
        network = net.adapter("bad", bad).adapter("good", good, "ticks").channel("ticks", Parts.TICK).start();
        // Otherwise the failed suspend would leave it running, and the resume would be refused.
        TestNetwork.await("end of run", () -> "finished".equals(TestNetwork.stage(network, "bad").get("run")));
        assertThatThrownBy(network::suspend).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("EPN-0518").hasMessageContaining("stage=bad").hasMessageContaining("stuck valve");
        assertThat(calls).contains("good.suspend");
        assertThat(network.state()).isEqualTo(NetworkState.FAILED);
        network.resume();
        assertThat(network.state()).isEqualTo(NetworkState.RUNNING);
    }
}
