package dev.millrace.cql.processor;

import dev.millrace.adapter.loadgen.LoadgenAdapter;
import dev.millrace.adapter.loadgen.LoadgenAdapterFactory;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.time.Clock;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.PlatformServices;
import dev.millrace.network.Network;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.ProcessorProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** A running application built from its files, with the real reader, adapter, processor and network. */
final class TestApplication implements AutoCloseable
{
    static final String ASSEMBLY_FILE = "META-INF/spring/app.xml";
    static final String CONFIGURATION_FILE = "META-INF/wlevs/app.xml";
    static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository><wlevs:event-type type-name="Tick"><wlevs:properties>
            <wlevs:property name="symbol" type="char" length="16"/><wlevs:property name="price" type="double"/>
          </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
          <wlevs:adapter id="feed" provider="loadgen">
            <wlevs:listener ref="ticks"/>
            <wlevs:instance-property name="port" value="0"/>
            <wlevs:instance-property name="timesyncPort" value="0"/>
          </wlevs:adapter>
          <wlevs:channel id="ticks" event-type="Tick"><wlevs:listener ref="rules"/></wlevs:channel>
          <wlevs:processor id="rules"><wlevs:listener ref="dear"/></wlevs:processor>
          <wlevs:channel id="dear" event-type="Tick"><wlevs:listener ref="out"/></wlevs:channel>
          <bean id="out" class="dev.millrace.cql.processor.TestApplication$Sink"/>
        </beans>
        """;
    static final String CONFIGURATION = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules>
            <query id="q">RStream(select symbol, price from ticks[now] where price > 100.0)</query>
          </rules></processor>
        </c:config>
        """;

    private final GenericApplicationContext context = new GenericApplicationContext();
    private final Network network;

    TestApplication(final String name, final String assembly, final String configuration) throws DeploymentException
    {
        boolean isRunning = false;
        try
        {
            AssemblyReader.onClassPath(context, getClass().getClassLoader()).read(
                List.of(file(ASSEMBLY_FILE, assembly)));
            final ApplicationAssembler assembler = new ApplicationAssembler(name, new Services());
            assembler.prepare(context, List.of(file(CONFIGURATION_FILE, configuration)));
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
    private static final class Services implements PlatformServices
    {
        @Override
        public AdapterFactory adapterFactory(final String provider)
        {
            return provider.equals("loadgen") ? new LoadgenAdapterFactory(name -> null) : null;
        }

        @Override
        public Collection<String> adapterProviders()
        {
            return List.of("loadgen");
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
        public ProcessorProvider processorProvider(final String name)
        {
            return name.equals("cql") ? new CqlProcessorProvider() : null;
        }

        @Override
        public Clock clock()
        {
            return Clock.SYSTEM;
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

    /** Stores received events. */
    public static class Sink implements StreamSink
    {
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void onInsertEvent(final Object event)
        {
            events.add(event.toString());
        }
    }

    /** Fails on each event. */
    public static final class FailingSink extends Sink
    {
        @Override
        public void onInsertEvent(final Object event)
        {
            throw new IllegalStateException("sink is broken");
        }
    }

    int port()
    {
        try
        {
            return context.getBean("feed", LoadgenAdapter.class).boundPort();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    Socket connect() throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** Sends a line and waits until its row, which the query must select, has been emitted. */
    void passesOn(final String symbol) throws IOException
    {
        try (Socket socket = connect())
        {
            socket.getOutputStream().write((symbol + ",200\n" + symbol + ",50\n").getBytes(StandardCharsets.US_ASCII));
        }
        final List<String> events = context.getBean("out", Sink.class).events;
        Waiting.until(symbol + " comes out", () -> events.stream().anyMatch(event -> event.contains(symbol)));
    }

    Network network()
    {
        return network;
    }

    @Override
    public void close()
    {
        network.stop();
        context.close();
    }
}
