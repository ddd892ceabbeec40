package dev.millrace.cql.processor;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.RelationSink;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.PlatformServices;
import dev.millrace.network.Network;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.ProcessorProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/**
 * An application of one processor with channels {@code S} and {@code T} in application time, a relation {@code R} and
 * an output channel, built from its files with the real assembly and network; the test sends the events.
 */
public final class ObjectApplication implements AutoCloseable
{
    public static final String ASSEMBLY_FILE = "META-INF/spring/app.xml";
    static final String CONFIGURATION_FILE = "META-INF/wlevs/app.xml";
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository><wlevs:event-type type-name="Row"><wlevs:properties type="map">
            <wlevs:property name="at" type="bigint"/><wlevs:property name="k" type="char"/>
            <wlevs:property name="v" type="int"/><wlevs:property name="o" type="object"/>
          </wlevs:properties></wlevs:event-type>
          <wlevs:event-type type-name="Out"><wlevs:properties type="map">OUT</wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <bean id="sFeed" class="dev.millrace.cql.processor.ObjectApplication$Feed"/>
          <bean id="rFeed" class="dev.millrace.cql.processor.ObjectApplication$Feed"/>
          <wlevs:channel id="S" event-type="Row" source="sFeed"><wlevs:listener ref="rules"/>
            <wlevs:application-timestamped is-total-order="true"><wlevs:expression>at</wlevs:expression>
            </wlevs:application-timestamped></wlevs:channel>
          <wlevs:channel id="R" event-type="Row" is-relation="true" primary-key="k" source="rFeed" RELATION>
            <wlevs:listener ref="rules"/>
            <wlevs:application-timestamped><wlevs:expression>at</wlevs:expression></wlevs:application-timestamped>
          </wlevs:channel>
          <wlevs:processor id="rules"><wlevs:listener ref="out"/>
        OBJECTS
          </wlevs:processor>
          <wlevs:channel id="out" event-type="Out" OPTIONS><wlevs:listener ref="sink"/></wlevs:channel>
          <bean id="sink" class="dev.millrace.cql.processor.ObjectApplication$Sink"/>
        BEANS
        </beans>
        """;
    private static final String CONFIGURATION = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules>
        RULES
          </rules></processor>
        OTHERS
        </c:config>
        """;

    private final GenericApplicationContext context = new GenericApplicationContext();
    private Network network;

    /** Sends events. */
    public static final class Feed implements RelationSource
    {
        private RelationSender sender;

        @Override
        public void setEventSender(final RelationSender to)
        {
            sender = to;
        }
    }

    /** Stores emitted events, each prefixed with its kind. */
    public static final class Sink implements RelationSink
    {
        private final List<String> rows = new CopyOnWriteArrayList<>();

        @Override
        public void onInsertEvent(final Object event)
        {
            rows.add("+" + text(event));
        }

        @Override
        public void onDeleteEvent(final Object event)
        {
            rows.add("-" + text(event));
        }

        @Override
        public void onUpdateEvent(final Object event)
        {
            rows.add("U" + text(event));
        }

        private static String text(final Object event)
        {
            final List<String> values = new ArrayList<>();
            ((Map<?, ?>)event).values().forEach(value -> values.add(String.valueOf(value)));
            return String.join(",", values);
        }
    }

    /** The content of the files. */
    public static final class Builder
    {
        private String out = "<wlevs:property name=\"x\" type=\"int\"/>";
        private String objects = "";
        private String beans = "";
        private String options = "";
        private String relation = "";
        private String rules = "";
        private String others = "";
        private DataSource dataSource;

        public Builder out(final String... namesAndTypes)
        {
            final StringBuilder text = new StringBuilder();
            for (int i = 0; i < namesAndTypes.length; i += 2)
            {
                text.append("<wlevs:property name=\"").append(namesAndTypes[i]).append("\" type=\"")
                    .append(namesAndTypes[i + 1]).append("\"/>");
            }
            out = text.toString();
            return this;
        }

        public Builder objects(final String text)
        {
            objects = text;
            return this;
        }

        public Builder beans(final String text)
        {
            beans = text;
            return this;
        }

        public Builder options(final String attributes)
        {
            options = attributes;
            return this;
        }

        Builder relation(final String attributes)
        {
            relation = attributes;
            return this;
        }

        public Builder query(final String text)
        {
            return rules("<query id=\"q\"><![CDATA[" + text + "]]></query>");
        }

        public Builder rules(final String text)
        {
            rules += text;
            return this;
        }

        Builder bindings(final String text)
        {
            rules += "</rules>\n<bindings>" + text + "</bindings><rules>";
            return this;
        }

        Builder others(final String text)
        {
            others = text;
            return this;
        }

        public Builder dataSource(final DataSource source)
        {
            dataSource = source;
            return this;
        }

        public String assembly()
        {
            return ASSEMBLY.replace("OUT", out).replace("OBJECTS", objects.stripTrailing())
                .replace("BEANS", beans.stripTrailing()).replace("OPTIONS", options).replace("RELATION", relation);
        }

        String configuration()
        {
            return CONFIGURATION.replace("RULES", rules).replace("<rules>\n  </rules>", "")
                .replace("<rules>\n\n  </rules>", "").replace("OTHERS", others);
        }

        public ObjectApplication start() throws DeploymentException
        {
            return new ObjectApplication(this);
        }
    }

    private ObjectApplication(final Builder files) throws DeploymentException
    {
        boolean isRunning = false;
        try
        {
            AssemblyReader.onClassPath(context, getClass().getClassLoader()).read(
                List.of(file(ASSEMBLY_FILE, files.assembly())));
            final ApplicationAssembler assembler =
                new ApplicationAssembler("object.app", new Services(files.dataSource));
            assembler.prepare(context, List.of(file(CONFIGURATION_FILE, files.configuration())));
            assembler.refresh(context);
            network = assembler.assemble(context);
            network.start();
            isRunning = true;
        }
        finally
        {
            if (!isRunning)
            {
                context.close();
            }
        }
    }

    private static ConfigurationResource file(final String name, final String text)
    {
        return new ConfigurationResource(name, new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The services that a server provides to its applications. */
    private record Services(DataSource source) implements PlatformServices
    {
        @Override
        public AdapterFactory adapterFactory(final String provider)
        {
            return null;
        }

        @Override
        public EventBeanFactory eventBeanFactory(final String provider)
        {
            return null;
        }

        @Override
        public CachingSystem cachingSystem(final String provider)
        {
            return provider.equals(LOCAL_CACHING_SYSTEM) ? new LocalCachingSystem() : null;
        }

        @Override
        public DataSource dataSource(final String name)
        {
            return name.equals("db") ? source : null;
        }

        @Override
        public ProcessorProvider processorProvider(final String name)
        {
            return name.equals("cql") ? new CqlProcessorProvider() : null;
        }

        @Override
        public Clock clock()
        {
            return new ManualClock(1);
        }

        @Override
        public ThreadFactory threads()
        {
            return Executors.defaultThreadFactory();
        }

        @Override
        public int defaultWorkers()
        {
            return 1;
        }
    }

    public static Builder with()
    {
        return new Builder();
    }

    private static Map<String, Object> event(final long at, final String k, final Integer v, final Object o)
    {
        final Map<String, Object> event = new java.util.HashMap<>();
        event.put("at", at);
        event.put("k", k);
        event.put("v", v);
        event.put("o", o);
        return event;
    }

    /** A row of S. */
    public ObjectApplication send(final long at, final String k, final Integer v)
    {
        return send(at, k, v, null);
    }

    public ObjectApplication send(final long at, final String k, final Integer v, final Object o)
    {
        context.getBean("sFeed", Feed.class).sender.sendInsertEvent(event(at, k, v, o));
        return this;
    }

    /** A row that enters R. */
    ObjectApplication insert(final long at, final String k, final Integer v)
    {
        context.getBean("rFeed", Feed.class).sender.sendInsertEvent(event(at, k, v, null));
        return this;
    }

    /** A new value for a row of R. */
    ObjectApplication update(final long at, final String k, final Integer v)
    {
        context.getBean("rFeed", Feed.class).sender.sendUpdateEvent(event(at, k, v, null));
        return this;
    }

    ObjectApplication delete(final long at, final String k, final Integer v)
    {
        context.getBean("rFeed", Feed.class).sender.sendDeleteEvent(event(at, k, v, null));
        return this;
    }

    public <T> T bean(final String name, final Class<T> type)
    {
        return context.getBean(name, type);
    }

    /** The events emitted so far. */
    public List<String> rows()
    {
        return context.getBean("sink", Sink.class).rows;
    }

    /** The events emitted after all sent rows have been processed, also by other threads. */
    public List<String> allRows()
    {
        try
        {
            network.suspend();
            network.resume();
        }
        catch (final DeploymentException failure)
        {
            throw new AssertionError(failure);
        }
        return rows();
    }

    Network network()
    {
        return network;
    }

    /** The number of rows that the processor has rejected for a reason. */
    public long rejected(final String reason)
    {
        for (final Object stage : (List<?>)network.statistics().get("stages"))
        {
            final Map<?, ?> figures = (Map<?, ?>)stage;
            if (figures.get("id").equals("rules"))
            {
                final Object count = ((Map<?, ?>)figures.get("rejectedBy")).get(reason);
                return count == null ? 0 : ((Number)count).longValue();
            }
        }
        throw new AssertionError("there is no processor");
    }

    @Override
    public void close()
    {
        network.stop();
        context.close();
    }
}
