package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which rules over caches run in a durable processor, and the reasons why others do not. */
@Timeout(60)
class DurableRuleCheckTest
{
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("k", CqlType.CHAR),
        new EventProperty("v", CqlType.INT), new EventProperty("x", CqlType.DOUBLE));
    private static final EventType PRICE = EventType.tuple("Price", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("day", CqlType.INT), new EventProperty("rate", CqlType.DOUBLE));
    private static final EventType NOTE = EventType.tuple("Note", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("content", CqlType.OBJECT));

    /** Finds single keys. */
    private static final class Loader implements CacheLoader
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
        public Map<Object, Object> loadAll()
        {
            return Map.of();
        }
    }

    private static PlannedProcessor plan(final EventType values, final List<String> keys, final CacheLoader loader,
        final String condition) throws DeploymentException
    {
        final CacheSettings settings = new CacheSettings("prices", values, keys, 100, loader);
        final ProcessorStage stage = new ProcessorStage("proc", "cql",
            List.of(new ProcessorStage.Rule("q", false, "RStream(select s.k as k, p.symbol as symbol from S[now] as " +
                "s, prices as p where " + condition + ")", List.of(), null, null, true, SourcePosition.NONE)),
            Map.of("prices", new ProcessorStage.CacheSource(new LocalCachingSystem().createCache(settings), settings)),
            UserObjects.NONE, 0, Duration.ZERO, 100, true, List.of(), SourcePosition.NONE);
        return new CqlProcessorProvider().plan(stage, Map.of("S", new InputChannel("S", ROW, false, true)));
    }

    private static String refusal(final EventType values, final List<String> keys, final CacheLoader loader,
        final String condition)
    {
        final List<Problem> problems = catchThrowableOfType(DeploymentException.class,
            () -> plan(values, keys, loader, condition)).problems();
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).code()).isEqualTo(ProcessorErrorCode.NOT_DURABLE);
        return problems.get(0).toString();
    }

    @Test
    void shouldAcceptCachesThatAreReplicated() throws Exception
    {
        assertThat(plan(PRICE, List.of("symbol"), null, "p.symbol = s.k")).isNotNull();
        assertThat(plan(PRICE, List.of("symbol"), null, "p.symbol = s.k || ''")).isNotNull();
        assertThat(plan(PRICE, List.of("day"), null, "p.day = s.v + 1 and p.rate > s.x")).isNotNull();
    }

    @Test
    void shouldAcceptCachesThatAreAskedForEachRow() throws Exception
    {
        assertThat(plan(PRICE, List.of("symbol", "day"), null, "p.symbol = s.k and p.day = s.v")).isNotNull();
        assertThat(plan(PRICE, List.of("symbol"), new Loader(), "p.symbol = s.k")).isNotNull();
    }

    @Test
    void shouldRefuseCachesWhoseValuesCannotBeStored()
    {
        assertThat(refusal(NOTE, List.of("symbol"), null, "p.symbol = s.k")).contains("objects", "cache=prices");
        assertThat(refusal(NOTE, List.of("symbol"), null, "p.symbol = s.k || ''")).contains("objects", "cache=prices");
    }
}
