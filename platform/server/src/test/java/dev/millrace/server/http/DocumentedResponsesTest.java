package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.spi.GroupDeployments.Answer;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import dev.millrace.server.spi.GroupDeployments.MemberAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Responses of a running instance have the members that the reference of the HTTP API lists, in its order. */
@Tag("slow")
@Timeout(120)
class DocumentedResponsesTest
{
    private static final String APP = "/wlevs/apps/" + RuleApp.NAME;

    @TempDir
    private static Path directory;

    private static TestInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        final Path domain = TestInstance.newDomain(directory);
        final Path config = domain.resolve("config/config.xml");
        Files.writeString(config, Files.readString(config).replace("</config>",
            "  <event-store><name>events</name></event-store>\n</config>"));
        instance = TestInstance.startWithRules(domain);
        final TestInstance.Answer installed = instance.deploy(RuleApp.bundle());
        assertThat(installed.status()).as(installed.text()).isEqualTo(201);
        assertThat(members(installed.body())).isEqualTo(documented(ResponseBody.APPLICATION, "update"));
    }

    @AfterAll
    static void stop() throws Exception
    {
        instance.close();
    }

    private static List<String> members(final JsonElement body)
    {
        return List.copyOf(body.getAsJsonObject().keySet());
    }

    /** Members on the page, without one that the response lacks here. */
    private static List<String> documented(final ResponseBody body, final String absent)
    {
        final List<String> names = new ArrayList<>(body.members().keySet());
        assertThat(names.remove(absent) || absent.isEmpty()).isTrue();
        return names;
    }

    private static JsonElement get(final String method, final String path, final String body)
        throws IOException, InterruptedException
    {
        final TestInstance.Answer answer =
            instance.request(method, path, body.getBytes(StandardCharsets.UTF_8));
        assertThat(answer.status()).as("%s %s %s", method, path, answer.text()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void shouldHaveTheDocumentedMembers() throws Exception
    {
        assertThat(members(get("GET", "/wlevs/server", ""))).isEqualTo(documented(ResponseBody.SERVER, "cluster"));
        assertThat(members(get("GET", "/wlevs/apps", "").getAsJsonArray().get(0)))
            .isEqualTo(documented(ResponseBody.APPLICATION, "update"));
        assertThat(members(get("GET", APP + "/statistics", ""))).isEqualTo(documented(ResponseBody.STATISTICS, ""));
        final JsonElement rules = get("GET", APP + "/processors/rules/rules", "");
        assertThat(members(rules)).isEqualTo(documented(ResponseBody.RULES, ""));
        assertThat(members(rules.getAsJsonObject().getAsJsonArray("rules").get(0))).containsExactly("id", "kind",
            "active", "text", "schema", "orderingConstraint", "partitionExpression", "bindings");
        assertThat(members(get("GET", APP + "/processors/rules/rule-file", "")))
            .isEqualTo(documented(ResponseBody.RULE_FILE, ""));
        assertThat(members(get("POST", APP + "/processors/rules/rules/other/start", "")))
            .isEqualTo(documented(ResponseBody.RULE_CHANGE, ""));
    }

    @Test
    void shouldHaveTheDocumentedMembersOfRecordings() throws Exception
    {
        get("POST", APP + "/stages/numbers/record/start", "{\"dataset\": \"monday\"}");
        instance.await("the dataset exists", () -> Files.exists(instance.domain().resolve("var/events/monday")));
        final JsonElement datasets = get("GET", "/wlevs/events", "");
        assertThat(members(datasets.getAsJsonArray().get(0))).isEqualTo(documented(ResponseBody.DATASETS, ""));
        assertThat(members(get("POST", APP + "/stages/numbers/record/stop", "")))
            .isEqualTo(documented(ResponseBody.RECORDINGS, ""));
        assertThat(members(get("DELETE", "/wlevs/events/monday", ""))).isEqualTo(documented(ResponseBody.DATASET, ""));
    }

    @Test
    void shouldHaveTheDocumentedMembersOfAGroup()
    {
        final MemberAnswer member = new MemberAnswer("server1", Answer.DONE, "RUNNING", 3, List.of(), List.of());
        assertThat(GroupRequest.map(new GroupAnswer("my.app", "all", 3, List.of(member), "")).keySet())
            .containsExactlyElementsOf(documented(ResponseBody.GROUP_CHANGE, ""));
    }
}
