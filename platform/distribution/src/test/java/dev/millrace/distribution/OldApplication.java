package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A bundle as a build for Oracle Event Processing produces it: an adapter, an event bean, a cache loader and a sink
 * that is a plain bean, compiled against the API of OEP, for which minimal interfaces stand in that are not in the
 * bundle.
 */
final class OldApplication
{
    static final String NAME = "com.example.oep.prices";

    /** What the classes of the application use of OEP's API, as its users' documentation describes it. */
    private static final Map<String, String> STAND_INS = Map.ofEntries(
        Map.entry("com.bea.wlevs.ede.api.Adapter", "public interface Adapter {}"),
        Map.entry("com.bea.wlevs.ede.api.EventBean", "public interface EventBean {}"),
        Map.entry("com.bea.wlevs.ede.api.StreamSender",
            "public interface StreamSender { void sendInsertEvent(Object event); }"),
        Map.entry("com.bea.wlevs.ede.api.StreamSource",
            "public interface StreamSource { void setEventSender(StreamSender sender); }"),
        Map.entry("com.bea.wlevs.ede.api.StreamSink",
            "public interface StreamSink { void onInsertEvent(Object event) throws EventRejectedException; }"),
        Map.entry("com.bea.wlevs.ede.api.EventRejectedException",
            "public class EventRejectedException extends Exception {"
                + " public EventRejectedException(String message) { super(message); } }"),
        Map.entry("com.bea.wlevs.ede.api.SuspendableBean",
            "public interface SuspendableBean { void suspend() throws Exception; }"),
        Map.entry("com.bea.wlevs.ede.api.RunnableBean",
            "public interface RunnableBean extends Runnable, SuspendableBean {}"),
        Map.entry("com.bea.wlevs.ede.api.InitializingBean",
            "public interface InitializingBean { void afterPropertiesSet() throws Exception; }"),
        Map.entry("com.bea.wlevs.ede.api.ApplicationIdentityAware",
            "public interface ApplicationIdentityAware { void setApplicationIdentity(String name); }"),
        Map.entry("com.bea.wlevs.ede.api.StageIdentityAware",
            "public interface StageIdentityAware { void setStageIdentity(String id); }"),
        Map.entry("com.bea.wlevs.ede.api.EventProperty",
            "public interface EventProperty { Object getValue(Object event); void setValue(Object event, Object v); }"),
        Map.entry("com.bea.wlevs.ede.api.EventType", "public interface EventType { String getTypeName();"
            + " EventProperty getProperty(String name); Object createEvent(); }"),
        Map.entry("com.bea.wlevs.ede.api.EventTypeRepository", "public interface EventTypeRepository {"
            + " EventType getEventType(String name); EventType getEventType(Object event); }"),
        Map.entry("com.bea.wlevs.util.Service",
            "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)"
                + " public @interface Service { String filter() default \"\"; }"),
        Map.entry("com.bea.cache.jcache.CacheLoader", "public interface CacheLoader<K, V> { V load(K key);"
            + " java.util.Map<K, V> loadAll(java.util.Collection<K> keys); java.util.Map<K, V> loadAll(); }"),
        Map.entry("com.bea.wlevs.configuration.Activate", "public @interface Activate {}"),
        Map.entry("org.springframework.beans.factory.InitializingBean",
            "public interface InitializingBean { void afterPropertiesSet() throws Exception; }"));

    private static final Map<String, String> SOURCES = Map.of(
        "com.example.oep.Tick", """
            public class Tick {
                private String symbol;
                private double price;
                public String getSymbol() { return symbol; }
                public void setSymbol(String symbol) { this.symbol = symbol; }
                public double getPrice() { return price; }
                public void setPrice(double price) { this.price = price; }
            }
            """,
        "com.example.oep.Alert", """
            public class Alert {
                private String symbol;
                private Double value;
                public String getSymbol() { return symbol; }
                public void setSymbol(String symbol) { this.symbol = symbol; }
                public Double getValue() { return value; }
                public void setValue(Double value) { this.value = value; }
            }
            """,
        "com.example.oep.Factor", """
            public class Factor {
                private String symbol;
                private double factor;
                public String getSymbol() { return symbol; }
                public void setSymbol(String symbol) { this.symbol = symbol; }
                public double getFactor() { return factor; }
                public void setFactor(double factor) { this.factor = factor; }
            }
            """,
        "com.example.oep.TickSource", """
            import com.bea.wlevs.ede.api.*;
            public class TickSource implements Adapter, RunnableBean, StreamSource {
                private final Object suspended = new Object();
                private boolean isSuspended;
                private StreamSender sender;
                public void setEventSender(StreamSender sender) { this.sender = sender; }
                public void run() {
                    for (int i = 0; i < 4; i++) {
                        Tick tick = new Tick();
                        tick.setSymbol(String.valueOf("ABCD".charAt(i)));
                        tick.setPrice(i + 1);
                        sender.sendInsertEvent(tick);
                    }
                    synchronized (suspended) {
                        while (!isSuspended) {
                            try { suspended.wait(); } catch (InterruptedException e) { return; }
                        }
                    }
                }
                public void suspend() {
                    synchronized (suspended) { isSuspended = true; suspended.notifyAll(); }
                }
            }
            """,
        "com.example.oep.FactorLoader", """
            import com.bea.cache.jcache.CacheLoader;
            import com.bea.wlevs.ede.api.EventType;
            import com.bea.wlevs.ede.api.EventTypeRepository;
            import com.bea.wlevs.util.Service;
            import java.util.*;
            public class FactorLoader implements CacheLoader<String, Object>,
                org.springframework.beans.factory.InitializingBean {
                private final Map<String, Object> factors = new HashMap<>();
                private EventTypeRepository types;
                @Service(filter = "")
                public void setEventTypes(EventTypeRepository types) { this.types = types; }
                public void afterPropertiesSet() {
                    EventType type = types.getEventType("Factor");
                    for (int i = 0; i < 3; i++) {
                        String symbol = String.valueOf("ABC".charAt(i));
                        Object factor = type.createEvent();
                        type.getProperty("symbol").setValue(factor, symbol);
                        type.getProperty("factor").setValue(factor, 10.0 * (i + 1));
                        factors.put(symbol, factor);
                    }
                }
                @Override public Object load(String key) { return factors.get(key); }
                @Override public Map<String, Object> loadAll(Collection<String> keys) { return factors; }
                @Override public Map<String, Object> loadAll() { return factors; }
            }
            """,
        "com.example.oep.AlertBean", """
            import com.bea.wlevs.ede.api.*;
            import com.bea.wlevs.util.Service;
            public class AlertBean implements EventBean, StreamSink, StreamSource, InitializingBean {
                private StreamSender sender;
                private EventTypeRepository types;
                private boolean isInitialized;
                @Service
                public void setEventTypes(EventTypeRepository types) { this.types = types; }
                public void setEventSender(StreamSender sender) { this.sender = sender; }
                public void afterPropertiesSet() { isInitialized = true; }
                public void onInsertEvent(Object event) throws EventRejectedException {
                    EventType type = types.getEventType(event);
                    Double value = (Double)type.getProperty("value").getValue(event);
                    if (!isInitialized || !"Priced".equals(type.getTypeName()) || value > 50) {
                        throw new EventRejectedException("too large: " + value);
                    }
                    Alert alert = new Alert();
                    alert.setSymbol((String)type.getProperty("symbol").getValue(event));
                    alert.setValue(value);
                    sender.sendInsertEvent(alert);
                }
            }
            """,
        "com.example.oep.AlertFile", """
            import com.bea.wlevs.ede.api.*;
            import java.nio.file.*;
            public class AlertFile implements StreamSink, ApplicationIdentityAware, StageIdentityAware {
                private String file;
                private String application;
                private String stage;
                public void setFile(String file) { this.file = file; }
                public void setApplicationIdentity(String name) { application = name; }
                public void setStageIdentity(String id) { stage = id; }
                public void onInsertEvent(Object event) throws EventRejectedException {
                    Alert alert = (Alert)event;
                    String line = application + " " + stage + " " + alert.getSymbol() + " " + alert.getValue() + "\\n";
                    try {
                        Files.write(Paths.get(file), line.getBytes(), StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                    } catch (java.io.IOException e) {
                        throw new EventRejectedException(e.getMessage());
                    }
                }
            }
            """);

    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Tick"><wlevs:class>com.example.oep.Tick</wlevs:class></wlevs:event-type>
            <wlevs:event-type type-name="Factor"><wlevs:class>com.example.oep.Factor</wlevs:class></wlevs:event-type>
            <wlevs:event-type type-name="Priced"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="value" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Alert"><wlevs:class>com.example.oep.Alert</wlevs:class></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="feed" class="com.example.oep.TickSource"><wlevs:listener ref="ticks"/></wlevs:adapter>
          <wlevs:channel id="ticks" event-type="Tick"><wlevs:listener ref="rules"/></wlevs:channel>
          <wlevs:caching-system id="system"/>
          <wlevs:cache id="factors" value-type="Factor" key-properties="symbol">
            <wlevs:caching-system ref="system"/><wlevs:cache-loader ref="loader"/></wlevs:cache>
          <bean id="loader" class="com.example.oep.FactorLoader"/>
          <wlevs:processor id="rules"><wlevs:cache-source ref="factors"/></wlevs:processor>
          <wlevs:channel id="priced" event-type="Priced" source="rules" advertise="true">
            <wlevs:listener ref="alertBean"/></wlevs:channel>
          <wlevs:event-bean id="alertBean" class="com.example.oep.AlertBean">
            <wlevs:listener ref="alerts"/></wlevs:event-bean>
          <wlevs:channel id="alerts" event-type="Alert"><wlevs:listener ref="alertFile"/></wlevs:channel>
          <bean id="alertFile" class="com.example.oep.AlertFile"><property name="file" value="FILE"/></bean>
        </beans>
        """;
    private static final String RULES = """
        <n1:config xmlns:n1="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules><query id="all"><![CDATA[
            select t.symbol as symbol, t.price * f.factor as value from ticks [now] as t, factors as f
            where t.symbol = f.symbol]]></query></rules></processor>
        </n1:config>
        """;

    private OldApplication()
    {
    }

    /** Builds the bundle; its sink appends to a file. */
    static Path build(final Path directory, final Path result) throws IOException
    {
        return build(directory, result, Map.of());
    }

    /** Builds the bundle with further classes: sources without package, by class name. */
    static Path build(final Path directory, final Path result, final Map<String, String> others) throws IOException
    {
        final Path classes = compile(Files.createDirectories(directory.resolve("sources")), others);
        final Manifest manifest = new Manifest();
        final Attributes attributes = manifest.getMainAttributes();
        attributes.putValue("Manifest-Version", "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", NAME);
        attributes.putValue("Bundle-Version", "1.0.0");
        attributes.putValue("Import-Package", "com.bea.wlevs.configuration;version=\"11.1.1\","
            + "com.bea.wlevs.ede.api;version=\"11.1.1\",com.bea.wlevs.ede.impl;version=\"11.1.1\","
            + "com.bea.wlevs.util;version=\"11.1.1\",com.bea.cache.jcache;version=\"[1.1,2)\","
            + "org.springframework.beans.factory;version=\"[2.5.6,4)\",org.springframework.osgi.context");
        final Path bundle = directory.resolve("prices.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(bundle), manifest);
            Stream<Path> files = Files.walk(classes.resolve("com/example")))
        {
            for (final Path file : files.filter(Files::isRegularFile).sorted().toList())
            {
                jar.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, jar);
            }
            jar.putNextEntry(new ZipEntry("META-INF/spring/prices.context.xml"));
            jar.write(ASSEMBLY.replace("FILE", result.toString()).getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new ZipEntry("META-INF/wlevs/prices.xml"));
            jar.write(RULES.getBytes(StandardCharsets.UTF_8));
        }
        return bundle;
    }

    private static Path compile(final Path sources, final Map<String, String> others) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        for (final Map<String, String> each : List.of(STAND_INS, SOURCES, others))
        {
            for (final Map.Entry<String, String> source : each.entrySet())
            {
                final Path file = sources.resolve(source.getKey().replace('.', '/') + ".java");
                Files.createDirectories(file.getParent());
                files.add(Files.writeString(file, "package " +
                    source.getKey().substring(0, source.getKey().lastIndexOf('.')) + ";\n" + source.getValue()));
            }
        }
        final Path classes = Files.createDirectories(sources.resolveSibling("classes"));
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter output = new StringWriter();
        assertThat(compiler.getTask(output, null, null, List.of("-d", classes.toString(), "-cp", classes.toString(),
            "--release", "8", "-Xlint:-options"), null, compiler.getStandardFileManager(null, null, null)
            .getJavaFileObjectsFromPaths(files)).call()).as(output.toString()).isTrue();
        return classes;
    }
}
