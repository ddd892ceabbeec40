package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.ChannelStage.Time;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The property with the times of rows, as passed to a processor. */
@Timeout(60)
class TimePropertyTest
{
    private final Map<String, ProcessorProvider.InputChannel> seen = new HashMap<>();
    private final TestNetwork net = new TestNetwork();

    TimePropertyTest()
    {
        final EchoProvider echo = new EchoProvider();
        net.providers.put("echo", new ProcessorProvider()
        {
            @Override
            public PlannedProcessor plan(final ProcessorStage definition, final Map<String, InputChannel> channels)
            {
                seen.putAll(channels);
                return echo.plan(definition, channels);
            }
        });
    }

    private String property(final Time time, final String... sources) throws Exception
    {
        for (final String source : sources)
        {
            net.adapter(source, new Parts.ColumnSource(), "ticks");
        }
        net.channel("ticks", Parts.TICK, Queue.PASS_THROUGH, time, "proc").processor("proc", 1, "echoed")
            .channel("echoed", Parts.TICK, "out").bean("out", new Parts.ColumnSink()).start().stop();
        return seen.get("ticks").timeProperty();
    }

    @Test
    void shouldNameThePropertyOfRowsThatOneStageSends() throws Exception
    {
        assertThat(property(new Time("id", true, 0), "in")).isEqualTo("id");
    }

    @Test
    void shouldNameNoneWhereTimesMayRepeatAmongSeveralStages() throws Exception
    {
        assertThat(property(new Time("id", true, 0), "in", "other")).isNull();
    }

    @Test
    void shouldNameNoneWithoutApplicationTime() throws Exception
    {
        assertThat(property(new Time(null, true, 0), "in")).isNull();
    }
}
