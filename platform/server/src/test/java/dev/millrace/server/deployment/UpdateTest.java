package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.LineSender;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.LineFeed;
import dev.millrace.server.fixture.app.NextSequence;
import dev.millrace.server.fixture.app.Refuser;
import dev.millrace.server.fixture.app.RefusingSink;
import dev.millrace.server.fixture.app.Sequence;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Effects of updates on rows, state and clients of the running version. */
@Tag("slow")
@Timeout(180)
class UpdateTest
{
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private static final String RULES =
        RuleApp.query("every", RuleApp.EVERY) + RuleApp.query("counted", RuleApp.COUNTED);

    private static final String ODD_RULES = RuleApp.query("every", "select number from numbers where number > -1")
        + RuleApp.query("counted", RuleApp.COUNTED);

    private static final String ONE_MORE = "<bean id='list' class='java.util.ArrayList'/>";

    @TempDir
    private Path directory;

    private TestInstance instance;

    private RuleApp app;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.startWithRules(TestInstance.newDomain(directory));
        app = new RuleApp(instance);
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private void install(final BundleJar bundle) throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(bundle);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    private TestInstance.Answer update(final BundleJar bundle) throws Exception
    {
        return instance.request("PUT", "/wlevs/apps/" + RuleApp.NAME, bundle.bytes());
    }

    private JsonObject updated(final BundleJar bundle) throws Exception
    {
        final TestInstance.Answer answer = update(bundle);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.body().getAsJsonObject();
    }

    /** Returns the reported effect on each query, by id: the action and the lost state. */
    private static Map<String, String> fates(final JsonObject application)
    {
        final Map<String, String> fates = new TreeMap<>();
        final JsonElement processor = application.getAsJsonObject("update").getAsJsonArray("processors").get(0);
        for (final JsonElement each : processor.getAsJsonObject().getAsJsonArray("queries"))
        {
            final JsonObject query = each.getAsJsonObject();
            fates.put(query.get("id").getAsString(),
                (query.get("action").getAsString() + ' ' + query.get("lostState").getAsString()).strip());
        }
        return fates;
    }

    private void refused(final BundleJar bundle, final String... words) throws Exception
    {
        final TestInstance.Answer answer = update(bundle.version("2.0.0"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains(words);
        final String now = instance.request("GET", "/wlevs/apps/" + RuleApp.NAME, new byte[0]).text();
        assertThat(now).contains("\"1.0.0\"", "RUNNING");
        assertThat(instance.framework().getBundleContext().getBundles())
            .filteredOn(bundle1 -> RuleApp.NAME.equals(bundle1.getSymbolicName())).hasSize(1);
        try (Stream<Path> files = Files.list(directory.resolve("applications")))
        {
            assertThat(files.map(path -> path.getFileName().toString())).doesNotContain(".next-" + RuleApp.NAME,
                ".old-" + RuleApp.NAME);
        }
    }

    @Test
    void shouldLoseNoRowAndNoStateWhenUpdateIsRefused() throws Exception
    {
        install(RuleApp.bundle());
        app.awaitMore("counted");

        refused(RuleApp.bundle(RuleApp.query("every", "select summ(number) as number from numbers") +
            RuleApp.query("counted", RuleApp.COUNTED)), "CQL-", "summ");
        refused(RuleApp.with("<bean id='x' class='no.such.Type'/>"), "no.such.Type");
        refused(RuleApp.with("<bean id='x' class='dev.millrace.server.fixture.app.Refuser'/>").classes(Refuser.class),
            "made to refuse");
        refused(RuleApp.with("").header("Import-Package", "no.such.pack"), "SRV-0209", "no.such.pack");
        refused(RuleApp.with("<osgi:reference id='r' interface='java.util.function.Supplier' filter='(none=1)'/>"),
            "SRV-0332");

        app.awaitMore("counted");
        assertThat(app.figure("every", "first")).isZero();
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "first")).isLessThan(2);
        assertThat(app.figure("counted", "gaps")).isZero();
    }

    @Test
    void shouldKeepClientsWhenAPortOfTheNextVersionIsTaken() throws Exception
    {
        final int port = LineSender.freePort();
        install(RuleApp.listening(port, RULES, ""));
        try (LineSender sender = new LineSender(port); ServerSocket taken = new ServerSocket(0, 1, HERE))
        {
            app.awaitMore("counted");

            refused(RuleApp.listening(port, RULES, "<bean id='x' class='no.such.Type'/>"), "no.such.Type");
            refused(RuleApp.listening(LineSender.freePort(), RULES, RuleApp.listener(taken.getLocalPort())),
                "EPN-0516", "port");

            app.awaitMore("counted");
            final long sent = sender.end();
            instance.await("all rows come", () -> app.figure("every", "events") == sent);
            instance.await("all rows are counted", () -> app.figure("counted", "last") == sent);
        }
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "gaps")).isZero();
    }

    @Test
    void shouldComeBackWithStateWhenThePortWasHandedOverInVain() throws Exception
    {
        final int port = LineSender.freePort();
        install(RuleApp.listening(port, RULES, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");
            sender.end();
        }
        instance.await("rows are through", () -> app.figure("counted", "last") == app.figure("every", "events"));
        final long before = app.figure("counted", "last");

        try (ServerSocket taken = new ServerSocket(0, 1, HERE))
        {
            refused(RuleApp.listening(port, RULES, RuleApp.listener(taken.getLocalPort())), "EPN-0516", "port");
        }

        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");
            sender.end();
        }
        assertThat(app.figure("counted", "last")).isGreaterThan(before);
        assertThat(app.figure("counted", "gaps")).as("the count goes on").isZero();
    }

    @Test
    void shouldKeepStateAndClientsWhenOnlyRulesChange() throws Exception
    {
        final int port = LineSender.freePort();
        install(RuleApp.listening(port, RULES, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");

            final JsonObject answer = updated(RuleApp.listening(port, ODD_RULES, "").version("1.1.0"));

            assertThat(answer.get("version").getAsString()).isEqualTo("1.1.0");
            assertThat(fates(answer)).isEqualTo(Map.of("counted", "KEPT", "every", "RESTARTED"));
            assertThat(answer.getAsJsonObject("update").get("notes").toString()).contains("only rules have changed");
            app.awaitMore("every");
            final long sent = sender.end();
            instance.await("all rows come", () -> app.figure("every", "events") == sent);
            instance.await("all rows are counted", () -> app.figure("counted", "last") == sent);
        }
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "gaps")).isZero();
        assertThat(app.call("GET", "/rules", "").text()).contains("number > -1");

        instance.close();
        instance = TestInstance.startWithRules(directory);
        app = new RuleApp(instance);
        assertThat(instance.request("GET", "/wlevs/apps/" + RuleApp.NAME, new byte[0]).text())
            .contains("\"1.1.0\"", "RUNNING");
        assertThat(app.call("GET", "/rules", "").text()).contains("number > -1");
    }

    @Test
    void shouldKeepClientsAndStateWhenTheClassOfASinkChanges() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(RuleApp.provided(port, RULES, Sequence.class, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");

            final JsonObject answer =
                updated(RuleApp.provided(port, RULES, NextSequence.class, ONE_MORE).version("1.1.0"));

            assertThat(answer.get("version").getAsString()).isEqualTo("1.1.0");
            assertThat(fates(answer)).isEqualTo(Map.of("counted", "KEPT", "every", "KEPT"));
            assertThat(answer.getAsJsonObject("update").get("notes").toString()).contains("the network was kept",
                "adapter feed was kept with its connections", "beans created again: every, counted, other");
            final long updated = app.figure("every", "first");
            updated(RuleApp.provided(port, RULES, Sequence.class, "").version("1.2.0"));
            app.awaitMore("counted");
            final long sent = sender.end();
            assertThat(updated).as("the bean of the next version has seen later rows only").isPositive();
            assertThat(app.figure("every", "first")).isGreaterThan(updated);
            instance.await("all rows come, and once", () -> app.rowsIn("every") == sent);
            instance.await("the count has gone on", () -> app.figure("counted", "last") == sent);
        }
        assertThat(app.rowsIn("counted")).as("and the count of nothing").isEqualTo(app.rowsIn("every") + 1);
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "gaps")).isZero();
        assertThat(app.call("PUT", "/rules/more", "{\"text\":\"" + RuleApp.EVERY + "\"}").status())
            .as("rules can still be changed").isLessThan(300);
    }

    @Test
    void shouldLoseStateOfRulesWhoseCodeIsOfTheBundle() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        final String rules = RULES + RuleApp.query("doubled",
            "istream(select sum(twice(number)) as number from numbers)");
        install(RuleApp.provided(port, rules, Sequence.class, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");

            final JsonObject answer =
                updated(RuleApp.provided(port, rules, NextSequence.class, "").version("1.1.0"));

            assertThat(fates(answer)).containsEntry("counted", "KEPT").containsEntry("every", "KEPT");
            assertThat(fates(answer).get("doubled")).startsWith("RESTARTED groups");
            assertThat(answer.getAsJsonObject("update").toString())
                .contains("doubled uses twice, which is another object now");
            final long sent = sender.end();
            instance.await("the count has gone on", () -> app.figure("counted", "last") == sent);
        }
    }

    @Test
    void shouldAddAndRemoveASinkWhileRowsFlow() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(RuleApp.provided(port, RULES, Sequence.class, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");
            assertThat(fates(updated(RuleApp.withExtra(port, RULES, NextSequence.class).version("1.1.0"))))
                .containsEntry("counted", "KEPT");
            app.awaitMore("extra");
            assertThat(app.figure("extra", "gaps")).isZero();
            assertThat(fates(updated(RuleApp.provided(port, RULES, Sequence.class, "").version("1.2.0"))))
                .containsEntry("counted", "KEPT");

            final long sent = sender.end();
            instance.await("the count has gone on", () -> app.figure("counted", "last") == sent);
            assertThat(app.rowsIn("every")).isEqualTo(sent);
        }
    }

    @Test
    void shouldKeepTheStateOfRulesOnSeveralWorkersBehindAQueue() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        final String rules = RuleApp.query("every", RuleApp.EVERY) +
            "<query id='counted' ordering-constraint='PARTITION_ORDERED' partition-expression='name'>" +
            "istream(select name, count(*) as number from numbers group by name)</query>";
        install(RuleApp.parallel(port, rules, Sequence.class));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");

            refused(RuleApp.parallel(port, rules.replace("name,", "nome,"), NextSequence.class), "nome");
            assertThat(fates(updated(RuleApp.parallel(port, rules, NextSequence.class).version("1.1.0"))))
                .isEqualTo(Map.of("counted", "KEPT", "every", "KEPT"));

            final long sent = sender.end();
            instance.await("the count has gone on", () -> app.figure("counted", "last") == sent);
            instance.await("all rows come, and once", () -> app.rowsIn("every") == sent);
        }
        assertThat(app.figure("counted", "gaps")).isZero();
        assertThat(app.figure("every", "gaps")).isZero();
    }

    @Test
    void shouldMakeTheNetworkAnewAndSayWhyWhenAChannelChanges() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(RuleApp.provided(port, RULES, Sequence.class, ""));
        final JsonObject answer = updated(RuleApp.provided(port, RULES, Sequence.class,
            "<wlevs:channel id='spare' event-type='Out'/>").version("1.1.0"));

        assertThat(answer.getAsJsonObject("update").get("notes").toString())
            .contains("a new network was created: channel spare is new");
        assertThat(fates(answer)).containsEntry("every", "RESTARTED");
    }

    /** Stores each number. */
    private static final String CACHE = """
        <wlevs:caching-system id="system"/>
        <wlevs:cache id="seen" value-type="Number" key-properties="number" caching-system="system"/>
        <wlevs:channel id="keep" event-type="Number" source="numbers" listeners="seen"/>
        """;

    private static BundleJar caching(final int port, final String rules, final Class<?> sink, final String more)
    {
        return RuleApp.provided(port, rules, sink, CACHE + more);
    }

    @Test
    void shouldNameTheEntriesOfCachesThatAnUpdateLoses() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(caching(port, RULES, Sequence.class, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");
            refused(caching(port, RULES, Sequence.class, "<bean id='x' class='no.such.Type'/>"), "no.such.Type");
            app.awaitMore("counted");
            final long sent = sender.end();
            instance.await("all rows are counted", () -> app.figure("counted", "last") == sent);
            assertThat(app.figure("counted", "gaps")).isZero();

            final JsonObject answer = updated(caching(port, RULES, NextSequence.class, "").version("1.1.0"));

            assertThat(answer.getAsJsonObject("update").get("notes").toString())
                .contains("a new network was created: it has caches")
                .contains("cache seen was created again: it had " + sent + " entries and has 0");
            assertThat(fates(answer).get("counted")).startsWith("RESTARTED groups");
        }
    }

    /** Selects each number whose predecessor is in the cache. */
    private static final String JOINED = RuleApp.query("every", "rstream(select N.number as number " +
        "from numbers[now] as N, seen as C where C.number = N.number - 1)");

    private static BundleJar joining(final int port, final String counted, final Class<?> sink)
    {
        return RuleApp.reading("seen", CACHE, port, JOINED + RuleApp.query("counted", counted), sink);
    }

    @Test
    void shouldGoOnJoiningTheEntriesOfACacheWhenAnotherRuleChanges() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(joining(port, RuleApp.COUNTED, Sequence.class));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("every");

            final JsonObject answer =
                updated(joining(port, "istream(select count(*) as number from numbers where number > -1)",
                    Sequence.class).version("1.1.0"));

            assertThat(fates(answer)).isEqualTo(Map.of("every", "KEPT", "counted", "RESTARTED groups"));
            assertThat(answer.getAsJsonObject("update").get("notes").toString()).doesNotContain("anew", "created "
                + "again");
            app.awaitMore("every");
            final long sent = sender.end();
            instance.await("the last row is joined", () -> app.figure("every", "last") == sent - 1);
            assertThat(app.figure("every", "gaps")).as("rows that found no entry").isZero();
        }
    }

    @Test
    void shouldJoinTheEntriesOfTheNextCacheWhenTheNetworkIsMadeAnew() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(joining(port, RuleApp.COUNTED, Sequence.class));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("every");
            final long sent = sender.end();
            instance.await("the last row is joined", () -> app.figure("every", "last") == sent - 1);
        }

        final JsonObject answer = updated(joining(port, RuleApp.COUNTED, NextSequence.class).version("1.1.0"));

        assertThat(answer.getAsJsonObject("update").get("notes").toString()).contains("cache seen was created again");
        assertThat(fates(answer).get("every")).startsWith("RESTARTED");
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("every");
            final long sent = sender.end();
            instance.await("the last row is joined", () -> app.figure("every", "last") == sent - 1);
            assertThat(app.figure("every", "gaps")).as("rows that found no entry").isZero();
        }
    }

    @Test
    void shouldKeepClientsAndStateWhenABeanThatComesRefuses() throws Exception
    {
        instance.install("test:provider", RuleApp.provider());
        final int port = LineSender.freePort();
        install(RuleApp.provided(port, RULES, Sequence.class, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");

            refused(RuleApp.withExtra(port, RULES, RefusingSink.class), "EPN-0516", "made to refuse");

            app.awaitMore("counted");
            final long sent = sender.end();
            instance.await("all rows come", () -> app.figure("every", "events") == sent);
            instance.await("all rows are counted", () -> app.figure("counted", "last") == sent);
        }
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "gaps")).isZero();
    }

    @Test
    void shouldTakeThePortOverAndNameWhatIsLostWhenBeansChange() throws Exception
    {
        final int port = LineSender.freePort();
        install(RuleApp.listening(port, RULES, ""));
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");
            sender.end();
        }

        final JsonObject answer = updated(RuleApp.listening(port,
            RULES + RuleApp.query("more", RuleApp.COUNTED), ONE_MORE).version("1.1.0"));

        assertThat(fates(answer)).isEqualTo(Map.of("every", "KEPT", "counted", "KEPT", "more", "STARTED"));
        assertThat(answer.getAsJsonObject("update").get("notes").toString())
            .contains("adapter feed was created again: its connections were closed, because its class is part of the "
                + "bundle");
        assertThat(instance.request("GET", "/wlevs/apps/" + RuleApp.NAME, new byte[0]).text())
            .contains("\"1.1.0\"", "RUNNING", "its connections were closed");
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("every");
            sender.end();
        }
        assertThat(app.figure("every", "first")).isZero();
        assertThat(app.figure("counted", "first")).as("the count goes on").isGreaterThan(1);
    }

    @Test
    void shouldHandThePortOverWhenTheApplicationIsSuspended() throws Exception
    {
        final int port = LineSender.freePort();
        install(RuleApp.listening(port, RULES, ""));
        assertThat(instance.request("POST", "/wlevs/apps/" + RuleApp.NAME + "/suspend", new byte[0]).status())
            .isEqualTo(200);
        try (ServerSocket taken = new ServerSocket(0, 1, HERE))
        {
            final TestInstance.Answer answer =
                update(RuleApp.listening(port, RULES, RuleApp.listener(taken.getLocalPort())).version("2.0.0"));
            assertThat(answer.text()).contains("EPN-0516", "port");
        }
        assertThat(instance.state(RuleApp.NAME)).isEqualTo("SUSPENDED");

        updated(RuleApp.listening(port, RULES, ONE_MORE).version("1.1.0"));

        assertThat(instance.state(RuleApp.NAME)).isEqualTo("SUSPENDED");
        assertThat(instance.request("POST", "/wlevs/apps/" + RuleApp.NAME + "/resume", new byte[0]).status())
            .isEqualTo(200);
        try (LineSender sender = new LineSender(port))
        {
            app.awaitMore("counted");
            sender.end();
        }
    }

    @Test
    void shouldNotWireANextVersionToTheOneBeforeWhenBothExportAPackage() throws Exception
    {
        final String exported = "dev.millrace.server.fixture.app";
        final BundleJar bundle = Apps.ticking("tick.app").header("Bundle-SymbolicName", "tick.app;singleton:=true")
            .header("Export-Package", exported)
            .header("Import-Package",
                "dev.millrace.api.lifecycle,dev.millrace.api.stage;version=\"[1.0,2)\"," + exported);
        install(bundle);

        final TestInstance.Answer answer =
            instance.request("PUT", "/wlevs/apps/tick.app", bundle.classes(LineFeed.class).bytes());

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
        assertThat(instance.framework().getBundleContext().getBundles())
            .filteredOn(each -> "tick.app".equals(each.getSymbolicName())).hasSize(1)
            .allSatisfy(each -> assertThat(each.loadClass(exported + ".LineFeed")).isNotNull());
    }
}
