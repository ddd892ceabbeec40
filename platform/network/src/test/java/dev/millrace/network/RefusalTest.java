package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.ChannelStage.Time;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RefusalTest
{
    private final TestNetwork net = new TestNetwork();
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final Parts.ColumnSink sink = new Parts.ColumnSink();

    RefusalTest()
    {
        net.providers.put("echo", new EchoProvider());
    }

    private void shouldRefuse(final String code, final String place, final String... texts)
    {
        final DeploymentException e = catchThrowableOfType(DeploymentException.class, net::build);
        assertThat(e).isNotNull();
        assertThat(e.problems()).anySatisfy(problem ->
        {
            assertThat(problem.code()).isEqualTo(code);
            assertThat(problem.position().toString()).isEqualTo(place);
            assertThat(problem.text()).contains(texts);
            assertThat(problem.hint()).isNotEmpty();
        });
    }

    @Test
    void shouldRefuseTwoStagesOfOneId()
    {
        net.channel("a", Parts.TICK).channel("a", Parts.TICK);
        shouldRefuse("EPN-0501", "test.xml:2:3", "id=a");
    }

    @Test
    void shouldRefuseARelationThatRejectsChangesWhenItsQueueIsFull()
    {
        net.adapter("in", source, "ticks").channel(new ChannelStage("ticks", Parts.TICK, true, List.of("id"),
            new Queue(1, 8, true), false, Time.SYSTEM, List.of(), List.of("out"), new SourcePosition("test.xml", 9, 9)))
            .bean("out", sink);
        shouldRefuse("EPN-0519", "test.xml:9:9", "a relation cannot lose changes", "when-full=reject");
    }

    @Test
    void shouldRefuseToShareRowsOutWithoutACluster()
    {
        net.adapter("in", source, "ticks").channel(shared("symbol", Queue.PASS_THROUGH)).bean("out", sink);
        shouldRefuse("EPN-0523", "test.xml:9:9", "this instance is in no cluster", "channel=ticks");
    }

    @Test
    void shouldRefuseToShareRowsOutByWhatIsNotThere()
    {
        net.adapter("in", source, "ticks").channel(shared("colour", new Queue(1, 10))).bean("out", sink);
        shouldRefuse("EPN-0523", "test.xml:9:9", "no such property", "partition-by=colour");
        shouldRefuse("EPN-0523", "test.xml:9:9", "has no queue", "max-threads=1");
    }

    private static ChannelStage shared(final String property, final Queue queue)
    {
        return new ChannelStage("ticks", Parts.TICK, false, List.of(), queue, false, Time.SYSTEM, List.of(),
            List.of("out"), new SourcePosition("test.xml", 9, 9))
            .shared(new ChannelStage.Sharing(property, "AllDomainMembers"));
    }

    @Test
    void shouldRefuseAListenerThatDoesNotExist()
    {
        net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "nowhere");
        shouldRefuse("EPN-0502", "test.xml:2:3", "stage=ticks", "listener=nowhere");
    }

    @Test
    void shouldRefuseACircle()
    {
        net.channel("a", Parts.TICK, "b").channel("b", Parts.TICK, "c").channel("c", Parts.TICK, "a");
        shouldRefuse("EPN-0503", "test.xml:1:3", "path=a -> b -> c -> a");
    }

    @Test
    void shouldRefuseStagesWithoutChannelBetween()
    {
        net.adapter("in", source, "out").bean("out", sink);
        shouldRefuse("EPN-0504", "test.xml:1:3", "stage=in listener=out");
    }

    @Test
    void shouldReportAllProblemsOfAProcessorAtOnce()
    {
        net.processor("proc", 1);
        net.providers.clear();
        shouldRefuse("EPN-0505", "test.xml:1:3", "processor=proc");
        shouldRefuse("EPN-0506", "test.xml:1:3", "processor=proc");
        shouldRefuse("EPN-0508", "test.xml:1:3", "provider=echo");
    }

    @Test
    void shouldRefuseASelectorThatIsNotBelowAProcessor()
    {
        net.adapter("in", source, "ticks").selecting("ticks", Parts.TICK, List.of("q"));
        shouldRefuse("EPN-0507", "test.xml:2:3", "channel=ticks");
    }

    @Test
    void shouldRefuseBeansThatLackARole()
    {
        net.adapter("in", sink, "ticks").channel("ticks", Parts.TICK, "out").bean("out", source);
        shouldRefuse("EPN-0509", "test.xml:3:3", "stage=out", Parts.ColumnSource.class.getName());
        shouldRefuse("EPN-0510", "test.xml:1:3", "stage=in");
    }

    @Test
    void shouldRefuseColumnsThatDoNotFitTheChannel()
    {
        net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "proc").processor("proc", 1, "wrong", "empty")
            .selecting("wrong", EventType.tuple("Wrong", new EventProperty("ID", CqlType.INT)), List.of("all"))
            .selecting("empty", EventType.tuple("Empty", new EventProperty("x", CqlType.INT)), List.of("even"));
        shouldRefuse("EPN-0511", "test.xml:4:3", "query=all column=ID type=bigint", "expected=int");
        shouldRefuse("EPN-0512", "test.xml:5:3", "query=even", "channel=empty");
    }

    @Test
    void shouldRefuseATimeThatIsNoTime()
    {
        net.channel("a", Parts.TICK, Queue.PASS_THROUGH, new Time("symbol", false, 0))
            .channel("b", Parts.TICK, Queue.PASS_THROUGH, new Time("none", false, 0));
        shouldRefuse("EPN-0513", "test.xml:1:3", "property=symbol type=char");
        shouldRefuse("EPN-0513", "test.xml:2:3", "property=none type=none");
    }

    @Test
    void shouldRefuseAPrimaryKeyThatIsNoKey()
    {
        final EventType odd = EventType.tuple("Odd", new EventProperty("o", CqlType.OBJECT));
        net.relation("a", odd, List.of("o")).relation("b", odd, List.of("none"));
        shouldRefuse("EPN-0514", "test.xml:1:3", "property=o");
        shouldRefuse("EPN-0514", "test.xml:2:3", "property=none");
    }

    @Test
    void shouldRefuseQueueSettingsOutOfRange()
    {
        net.channel("a", Parts.TICK, new Queue(1, 0), TestNetwork.NO_HEARTBEAT)
            .channel("b", Parts.TICK, new Queue(-1, 1), TestNetwork.NO_HEARTBEAT);
        shouldRefuse("EPN-0519", "test.xml:1:3", "max-size=0");
        shouldRefuse("EPN-0519", "test.xml:2:3", "max-threads=-1");
    }

    /** An event class that can only be sent, because it has only a getter. */
    public static final class GetterOnly
    {
        /**
         * The only property.
         *
         * @return a number
         */
        public int getId()
        {
            return 1;
        }
    }

    @Test
    void shouldRefuseEventClassesThatCannotBeReadOrMade()
    {
        final EventType type = new EventType("G", EventType.Kind.BEAN,
            List.of(new EventProperty("id", CqlType.INT), new EventProperty("x", CqlType.INT)), GetterOnly.class);
        net.adapter("in", new Parts.ObjectSource(), "ch").channel("ch", type, "out")
            .bean("out", new Parts.ObjectSink());
        shouldRefuse("EPN-0517", "test.xml:1:3", "no getter", "property=x", "stage=in");
        shouldRefuse("EPN-0517", "test.xml:3:3", "no setter", "property=id", "stage=out");
    }

    @Test
    void shouldGiveTheLoadersMessageWhenACacheCannotBeLoaded()
    {
        final CacheLoader loader = new CacheLoader()
        {
            @Override
            public Object load(final Object key)
            {
                return null;
            }

            @Override
            public Map<Object, Object> loadAll(final Collection<?> keys)
            {
                return Map.of();
            }

            @Override
            public Map<Object, Object> loadAll() throws Exception
            {
                throw new java.io.FileNotFoundException("symbols file not found, file=symbols.csv");
            }
        };
        net.channel("a", Parts.TICK)
            .cache(new LocalCachingSystem().createCache(new CacheSettings("symbols", null, List.of(), 10, loader)));
        shouldRefuse("EPN-0515", "-", "cache=symbols", "symbols file not found, file=symbols.csv");
    }
}
