package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.millrace.api.secret.LoginThrottle;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.TestInstance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of callers are in the audit log, without any secret content. */
@Tag("slow")
@Tag("optimized")
@Timeout(120)
class AuditedRequestsTest
{
    private static final String SECRET = "open-sesame";

    @TempDir
    private Path directory;

    private List<JsonObject> lines() throws IOException
    {
        return Files.readAllLines(directory.resolve("logs/audit.log")).stream()
            .map(line -> new Gson().fromJson(line, JsonObject.class)).toList();
    }

    /** Returns events without time and port: event user target result code. */
    private List<String> events(final int from) throws IOException
    {
        return lines().stream().skip(from).map(line -> String.join(" ", line.get("event").getAsString(),
            line.get("user").getAsString(), line.get("target").getAsString(), line.get("result").getAsString(),
            line.get("code").isJsonNull() ? "-" : line.get("code").getAsString())).toList();
    }

    @Test
    void shouldWriteWhoChangedWhatWithItsResultBeforeTheAnswer() throws Exception
    {
        try (TestInstance instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX))
        {
            assertThat(events(0)).containsExactly("server.start - test done -");
            assertThat(instance.deploy(Apps.ticking("one.app")).status()).isEqualTo(201);
            assertThat(events(1)).containsExactly("app.install token apps/app.jar begun -",
                "app.install token apps/app.jar name=one.app done -");
            assertThat(lines().get(1).get("peer").getAsString()).matches("127\\.0\\.0\\.1:\\d+");
            assertThat(lines().get(1).get("time").getAsString())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");

            instance.request("POST", "/wlevs/apps/one.app/suspend", new byte[0]);
            instance.request("POST", "/wlevs/apps/none/suspend", new byte[0]);
            instance.request("DELETE", "/wlevs/apps/one.app?group=all", new byte[0]);
            assertThat(events(3)).containsExactly("app.suspend token apps/one.app/suspend begun -",
                "app.suspend token apps/one.app/suspend done -",
                "app.suspend token apps/none/suspend begun -", "app.suspend token apps/none/suspend refused SRV-0404",
                "app.uninstall token apps/one.app group=all begun -",
                "app.uninstall token apps/one.app group=all refused SRV-0218");

            instance.request("GET", "/wlevs/apps", new byte[0]);
            assertThat(lines()).hasSize(9);
        }
        assertThat(events(9)).containsExactly("server.end - test done -");
    }

    @Test
    void shouldHoldNoSecretOfARequestWhicheverRouteItTook() throws Exception
    {
        try (TestInstance instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX))
        {
            int changes = 0;
            for (final Route route : ManagementEndpoint.routes(null))
            {
                final String path = route.path().replace("NAME", "some.app").replace("RULE", "some")
                    .replace("CONFIGURATION", "some.xml");
                for (final String query : List.of("", "?group=all", "?password=" + SECRET))
                {
                    if (!path.endsWith("/shutdown"))
                    {
                        instance.request(route.method(), path + query, body(path));
                        changes += RequestAudit.isAudited(route) ? 1 : 0;
                    }
                }
                if (RequestAudit.isAudited(route))
                {
                    assertThat(RequestAudit.event(route)).as("its name").matches("[a-z]+\\.[a-z]+");
                }
            }
            for (final String credentials : new String[] {"Bearer " + SECRET, basic(SECRET, "x"), basic("x", SECRET),
                SECRET, "Basic " + SECRET})
            {
                assertThat(instance.send(HttpRequest.newBuilder(URI.create(instance.url() + "/wlevs/apps/" + SECRET))
                    .header("Authorization", credentials).PUT(BodyPublishers.ofString(SECRET)).build()).status())
                    .isEqualTo(401);
            }

            final String log = Files.readString(directory.resolve("logs/audit.log"));
            assertThat(log).doesNotContain(SECRET, instance.token());
            assertThat(events(0)).filteredOn(event -> event.contains(" begun ")).hasSize(changes);
            assertThat(events(0)).filteredOn(event -> event.startsWith("login ")).hasSize(5)
                .contains("login token server refused SRV-0401", "login unknown server refused SRV-0401");
        }
    }

    private static byte[] body(final String path) throws IOException
    {
        return path.equals("/wlevs/apps") ? Apps.ticking("own.app").bytes()
            : ("{\"text\": \"select '" + SECRET + "' from A\", \"" + SECRET + "\": 1}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String basic(final String user, final String password)
    {
        return "Basic " + Base64.getEncoder().encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldTellWhenAUserIsLockedOut() throws Exception
    {
        try (TestInstance instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX))
        {
            for (int i = 0; i < LoginThrottle.MAX_FAILURES + 1; i++)
            {
                instance.send(HttpRequest.newBuilder(URI.create(instance.url() + "/wlevs/apps"))
                    .header("Authorization", basic("nobody", SECRET + i)).build());
            }

            assertThat(events(1)).containsExactly("login unknown server refused SRV-0401",
                "login unknown server refused SRV-0401", "login unknown server refused SRV-0401",
                "login unknown server refused SRV-0401", "login.lock unknown server done SRV-0406",
                "login unknown server refused SRV-0401", "login unknown server refused SRV-0406");
        }
    }

    @Test
    void shouldRefuseChangesButNotTheStopWhenTheLogCannotBeWritten() throws Exception
    {
        TestInstance.newDomain(directory);
        Files.createDirectories(directory.resolve("logs/audit.10.log/full"));
        Files.createFile(directory.resolve("logs/audit.9.log"));
        Files.write(directory.resolve("logs/audit.log"), new byte[10 << 20]);
        try (TestInstance instance = TestInstance.start(directory, TestInstance.FELIX))
        {
            final TestInstance.Answer refused = instance.deploy(Apps.ticking("one.app"));

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).contains("SRV-0412", "audit.log");
            assertThat(instance.request("GET", "/wlevs/apps", new byte[0]).text()).isEqualTo("[]");
            assertThat(instance.request("POST", "/wlevs/server/shutdown", new byte[0]).status()).isEqualTo(202);
        }
    }
}
