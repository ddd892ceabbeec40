package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.distribution.Product.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Instances of one domain form a cluster; incompatible instances do not start. */
@Timeout(300)
class ClusterIT
{
    private static final int PORTS = 4;

    @TempDir
    private Path directory;

    @Test
    void shouldFormAClusterRefuseWhoDoesNotFitAndComeBackAfterAPauseAndAKill() throws Exception
    {
        final int discovery = FreePorts.range(2 * PORTS);
        final int communication = discovery + PORTS;
        try (RunningInstance one = begun("one", "shop", "server1", discovery, communication);
            RunningInstance two = begun("two", "shop", "server2", discovery, communication))
        {
            one.awaitRunning();
            two.awaitRunning();
            Product.await("both see each other", 60, () -> names(one).equals("[server1, server2]") &&
                names(two).equals("[server1, server2]"));
            assertThat(cluster(one).get("state").getAsString()).isEqualTo("MEMBER");
            assertThat(cluster(one).get("coordinator")).isEqualTo(cluster(two).get("coordinator"));

            try (RunningInstance three = begun("three", "shop", "server1", discovery, communication);
                RunningInstance four = begun("four", "bank", "server4", discovery, communication))
            {
                assertThatThrownBy(three::awaitRunning).isInstanceOf(CommandException.class)
                    .hasMessageContaining("config.xml:").hasMessageContaining("CLU-0102")
                    .hasMessageContaining("server1");
                assertThatThrownBy(four::awaitRunning).isInstanceOf(CommandException.class)
                    .hasMessageContaining("CLU-0101").hasMessageContaining("bank");
            }
            assertThat(names(one)).isEqualTo("[server1, server2]");

            signal(one, "STOP");
            Product.await("the paused one is given up", 60, () -> names(two).equals("[server2]"));
            signal(one, "CONT");
            Product.await("it has come back", 60, () -> names(one).equals("[server1, server2]") &&
                names(two).equals("[server1, server2]"));
            assertThat(Files.readString(one.domain.directory().resolve("logs/server.log")))
                .contains("CLU-0004 this member is fenced, member=server1");

            two.kill();
            Product.await("the other is gone", 60, () -> names(one).equals("[server1]"));
            two.start();
            Product.await("it is back", 60, () -> names(one).equals("[server1, server2]"));
        }
    }

    @Test
    void shouldDeployToAllMembersAndToOneThatComesLater() throws Exception
    {
        final int discovery = FreePorts.range(2 * PORTS);
        final int communication = discovery + PORTS;
        try (RunningInstance one = begun("one", "shop", "server1", discovery, communication);
            RunningInstance two = begun("two", "shop", "server2", discovery, communication))
        {
            one.awaitRunning();
            two.awaitRunning();
            Product.await("both see each other", 60, () -> names(one).equals("[server1, server2]"));
            final Result installed = one.app("install", "--group", "all", Product.HOME.signalGeneration());
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            assertThat(installed.output()).containsPattern("server1 +done +RUNNING")
                .containsPattern("server2 +done +RUNNING");
            assertThat(two.app("list").output()).contains("RUNNING  group=AllDomainMembers");
            final Result alone = two.app("uninstall", Product.APPLICATION);
            assertThat(alone.exitCode()).isEqualTo(1);
            assertThat(alone.output()).contains("SRV-0217").contains("--group AllDomainMembers");

            changesRulesAndConfigurationOfAll(one, two);
            makesNotificationGroups(one);
            final Result standing = two.app("suspend", "--group", "all", Product.APPLICATION);
            assertThat(standing.output()).containsPattern("server1 +done +SUSPENDED")
                .containsPattern("server2 +done +SUSPENDED");
            try (RunningInstance late = begun("late", "shop", "server3", discovery, communication))
            {
                late.awaitRunning();
                Product.await("the late one has it", 60, () -> state(late).equals("SUSPENDED"));
                assertThat(late.app("resume", "--group", "all", Product.APPLICATION).output())
                    .containsPattern("server3 +done +RUNNING");
                assertThat(two.app("resume", "--group", "server1", Product.APPLICATION).output()).contains("CLU-0207");
                final Result removed = late.app("uninstall", "--group", "all", Product.APPLICATION);
                assertThat(removed.exitCode()).as(removed.output()).isZero();
                for (final RunningInstance each : List.of(one, two, late))
                {
                    assertThat(each.client.applications()).isEmpty();
                }
            }
        }
    }

    /** Tests notification groups with a bean of a separate application. */
    private void makesNotificationGroups(final RunningInstance one) throws Exception
    {
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Bundle-ManifestVersion", "2");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", "desks");
        manifest.getMainAttributes().putValue("Import-Package", "dev.millrace.cluster.groups");
        final Path bundle = directory.resolve("desks.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(bundle), manifest))
        {
            jar.putNextEntry(new ZipEntry("META-INF/spring/desks.xml"));
            jar.write("""
                <beans xmlns="http://www.springframework.org/schema/beans">
                  <bean id="groups" class="dev.millrace.cluster.groups.ActiveActiveGroupBean"/>
                </beans>
                """.getBytes(StandardCharsets.UTF_8));
        }
        final Result installed = one.app("install", "--group", "server1", bundle);
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        assertThat(Files.readString(one.domain.directory().resolve("logs/server.log")))
            .contains("CLU-0710 notification groups of this member, groups=[ActiveActiveGroupBean_desk]");
        assertThat(one.app("uninstall", "--group", "server1", "desks").exitCode()).isZero();
    }

    /** Makes versions from either instance, and rolls back. */
    private void changesRulesAndConfigurationOfAll(final RunningInstance one, final RunningInstance two)
        throws Exception
    {
        final Result alone = rules(two, "stop", "-rule", "trend");
        assertThat(alone.output()).contains("SRV-0217");
        final Result stopped = rules(two, "stop", "-rule", "trend", "--group", "all");
        assertThat(stopped.exitCode()).as(stopped.output()).isZero();
        assertThat(stopped.output()).contains("change=2").containsPattern("server1 +done +RUNNING")
            .containsPattern("server2 +done +RUNNING");
        assertThat(rules(one, "list").output()).containsPattern("trend +query  stopped");
        final Result wrong = rules(one, "add", "-query", "new", "select x from nowhere", "--group", "all");
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.output()).containsPattern("server1 +failed +RUNNING  keeps version 2")
            .containsPattern("server2 +failed +RUNNING  keeps version 2")
            .contains("nowhere", "note: no member could apply it: version 4 restores version 2");

        final Path file = Files.writeString(directory.resolve("channels.xml"), """
            <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
              <channel><name>StockTickStream</name><max-size>1024</max-size><max-threads>1</max-threads></channel>
            </c:config>
            """);
        final Result configured = one.app("configure", "--group", "all", Product.APPLICATION, file);
        assertThat(configured.exitCode()).as(configured.output()).isZero();
        assertThat(rules(two, "list").output()).containsPattern("trend +query  stopped");
        final Result history = two.app("history", "--group", "all", Product.APPLICATION);
        assertThat(history.output()).containsPattern("1 +20\\S+ \\S+ +server1 +install signal-generation.jar")
            .containsPattern("2 .*server2 +rule trend stopped, processor processor1")
            .containsPattern("5 .*server1 +configuration channels.xml");
        final Result back = two.app("rollback", "--group", "all", "--to", "1", Product.APPLICATION);
        assertThat(back.exitCode()).as(back.output()).isZero();
        assertThat(rules(one, "list").output()).containsPattern("trend +query  active");
    }

    private static Result rules(final RunningInstance instance, final String verb, final String... arguments)
        throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("rules", verb, "--domain",
            instance.domain.directory().toString(), "-A", Product.APPLICATION, "-P", "processor1"));
        command.addAll(List.of(arguments));
        return Product.millrace(command.toArray(new String[0]));
    }

    private static String state(final RunningInstance instance)
    {
        try
        {
            final JsonArray applications = instance.client.applications();
            return applications.isEmpty() ? "" : applications.get(0).getAsJsonObject().get("state").getAsString();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private RunningInstance begun(final String name, final String domain, final String server, final int discovery,
        final int communication) throws Exception
    {
        return RunningInstance.begun(directory.resolve(name), text -> text
            .replaceFirst("<name>[^<]*_domain</name>", "<name>" + domain + "</name>")
            .replaceFirst("(?s)<cluster>.*</cluster>", """
                <cluster>
                  <server-name>%s</server-name>
                  <enabled>true</enabled>
                  <groups>ActiveActiveGroupBean_desk,other</groups>
                  <discovery-port>%d</discovery-port>
                  <communication-port>%d</communication-port>
                  <port-range>%d</port-range>
                  <failure-detection-millis>3000</failure-detection-millis>
                </cluster>""".formatted(server, discovery, communication, PORTS)));
    }

    private static void signal(final RunningInstance instance, final String name) throws Exception
    {
        final String pid = Long.toString(instance.process.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }

    private static JsonObject cluster(final RunningInstance instance)
    {
        try
        {
            return instance.client.server().getAsJsonObject("cluster");
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static String names(final RunningInstance instance)
    {
        final JsonArray members = cluster(instance).getAsJsonArray("members");
        final TreeSet<String> names = new TreeSet<>();
        members.forEach(member -> names.add(member.getAsJsonObject().get("serverName").getAsString()));
        return names.toString();
    }
}
