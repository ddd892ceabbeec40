package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes rules over HTTP while numbers flow; two other queries must never lose a row or their state. */
@Tag("slow")
@Timeout(120)
class RuleRoutesTest
{
    private static final String ODD = "select number from numbers where name = \"odd\"";

    private static final String ABOVE = "select number from numbers where number > :1";

    @TempDir
    private static Path directory;

    private static TestInstance instance;

    private static RuleApp app;

    @BeforeAll
    static void start() throws Exception
    {
        instance = TestInstance.startWithRules(TestInstance.newDomain(directory));
        app = new RuleApp(instance);
        final TestInstance.Answer answer = instance.deploy(RuleApp.bundle());
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        app.awaitMore("counted");
    }

    @AfterAll
    static void stop() throws Exception
    {
        instance.close();
    }

    @AfterEach
    void shouldHaveLeftTheOthersAlone() throws Exception
    {
        app.awaitMore("every");
        app.awaitMore("counted");
        assertThat(app.figure("every", "gaps")).isZero();
        assertThat(app.figure("counted", "gaps")).isZero();
        final TestInstance.Answer answer =
            app.put("other", "select number from numbers", "active", "false", "kind", "query");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(app.call("PUT", "/rules/other/bindings", "{}").status()).isEqualTo(200);
        assertThat(app.ids()).isEqualTo("every counted (other)");
    }

    private static void changed(final TestInstance.Answer answer, final String... parts)
    {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        final List<String> all = new ArrayList<>(List.of(parts));
        all.addAll(List.of("\"notes\":", "\"pausedMicros\":", "\"application\":\"rule.app\",\"processor\":\"rules\""));
        assertThat(answer.text()).contains(all);
    }

    private static void refused(final TestInstance.Answer answer, final int status, final String... parts)
    {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text()).contains(parts).doesNotContain("\"hint\":\"\"");
    }

    private static boolean says(final TestInstance.Answer answer, final String id, final String action)
    {
        for (final var each : answer.body().getAsJsonObject().getAsJsonArray("queries"))
        {
            final JsonObject change = each.getAsJsonObject();
            if (change.get("id").getAsString().equals(id))
            {
                return change.get("action").getAsString().equals(action);
            }
        }
        return false;
    }

    @Test
    void shouldRunARuleFromWhenItIsAddedUntilItIsRemoved() throws Exception
    {
        assertThat(app.call("DELETE", "/rules/other", "").status()).isEqualTo(200);
        assertThat(app.ids()).isEqualTo("every counted");

        final TestInstance.Answer added = app.put("other", ODD);

        changed(added);
        assertThat(says(added, "other", "STARTED") && says(added, "every", "KEPT") && says(added, "counted", "KEPT"))
            .as(added.text()).isTrue();
        app.awaitMore("other");
        assertThat(app.figure("other", "last") % 2).isEqualTo(1);
        final TestInstance.Answer removed = app.call("DELETE", "/rules/other", "");
        changed(removed);
        assertThat(says(removed, "other", "STOPPED")).as(removed.text()).isTrue();
        final long events = app.figure("other", "events");
        app.awaitMore("every");
        assertThat(app.figure("other", "events")).isEqualTo(events);
    }

    @Test
    void shouldStartAndStopARuleThatStaysInTheSet() throws Exception
    {
        changed(app.call("POST", "/rules/other/start", ""));
        assertThat(app.ids()).isEqualTo("every counted other");
        app.awaitMore("other");

        changed(app.call("POST", "/rules/other/stop", ""));

        assertThat(app.ids()).isEqualTo("every counted (other)");
        final long events = app.figure("other", "events");
        app.awaitMore("every");
        assertThat(app.figure("other", "events")).isEqualTo(events);
    }

    @Test
    void shouldSayWhatIsLostWhenAReplacedQueryHadState() throws Exception
    {
        app.put("other", "istream(select sum(number) as number from numbers [rows 3])");
        app.awaitMore("other");

        final TestInstance.Answer same =
            app.put("other", "istream( select SUM( number ) AS number from numbers [ROWS 3] )", "mustExist", "true");
        final TestInstance.Answer another = app.put("other", ODD, "mustExist", "true");

        assertThat(says(same, "other", "KEPT")).as(same.text()).isTrue();
        assertThat(says(another, "other", "RESTARTED")).as(another.text()).isTrue();
        assertThat(another.text()).contains("window").containsPattern("\\d+ rows");
    }

    @Test
    void shouldShowRulesWithAllThatBelongsToThem() throws Exception
    {
        changed(app.put("other", ABOVE, "active", "false"));
        changed(app.call("PUT", "/rules/other/bindings", "{\"one\": \"1\", \"two\": 2}"));

        final TestInstance.Answer answer = app.call("GET", "/rules", "");

        assertThat(answer.text()).contains("{\"id\":\"every\",\"kind\":\"query\",\"active\":true,\"text\":\"" +
            RuleApp.EVERY + "\",\"schema\":[],\"orderingConstraint\":\"ORDERED\",\"partitionExpression\":null," +
            "\"bindings\":{}}", "\"bindings\":{\"one\":\"1\",\"two\":\"2\"}");
    }

    @Test
    void shouldRunAQueryOncePerSetOfValuesAndSendItWhereItsIdIsSelected() throws Exception
    {
        assertThat(app.put("other", ABOVE, "active", "false").status()).isEqualTo(200);
        changed(app.call("PUT", "/rules/other/bindings", "{\"one\": \"1\"}"));

        final TestInstance.Answer started = app.call("POST", "/rules/other/start", "");

        assertThat(says(started, "other_one", "STARTED")).as(started.text()).isTrue();
        assertThat(started.text()).doesNotContain("no channel accepts");
        app.awaitMore("other");
        final TestInstance.Answer exchanged = app.call("PUT", "/rules/other/bindings", "{\"two\": \"5\"}");
        assertThat(says(exchanged, "other_one", "STOPPED") && says(exchanged, "other_two", "STARTED"))
            .as(exchanged.text()).isTrue();
        refused(app.call("PUT", "/rules/other/bindings", "{\"no id\": \"5\"}"), 422, "EPN-", "letters");
        refused(app.call("PUT", "/rules/nobody/bindings", "{}"), 404, "SRV-0501");
        app.awaitMore("other");
    }

    @Test
    void shouldGiveAFileThatCanBePutBack() throws Exception
    {
        final TestInstance.Answer before = app.call("GET", "/rules", "");
        final String file = app.call("GET", "/rule-file", "").body().getAsJsonObject().get("file").getAsString();
        assertThat(file).startsWith("<?xml").contains("<name>rules</name>", RuleApp.EVERY, "active=\"false\"");
        changed(app.put("other", ODD));

        final TestInstance.Answer answer =
            app.call("PUT", "/rule-file", file.replace("<name>rules</name>", "<name>anything</name>"));

        changed(answer);
        assertThat(says(answer, "other", "STOPPED") && says(answer, "counted", "KEPT")).as(answer.text()).isTrue();
        assertThat(app.call("GET", "/rules", "").body()).isEqualTo(before.body());
    }

    @Test
    void shouldRefuseAFileWithTheLinesThatAreWrong() throws Exception
    {
        final String file = app.call("GET", "/rule-file", "").body().getAsJsonObject().get("file").getAsString();

        refused(app.call("PUT", "/rule-file", file.replace(RuleApp.COUNTED, "select numbr from numbers")), 422,
            "CQL-2002", "app.jar:7:", "^", "number?");
        refused(app.call("PUT", "/rule-file", file.replace("<query id=\"every\"", "<qerry id=\"every\"")), 422,
            "EPN-", "app.jar:6:", "^", "query");
        refused(app.call("PUT", "/rule-file", "no file"), 422, "app.jar:1:");
        refused(app.call("PUT", "/rule-file", ""), 422, "app.jar");
        refused(app.call("PUT", "/rule-file", "<!DOCTYPE x [<!ENTITY y SYSTEM \"file:///etc/passwd\">]>" +
            file.substring(file.indexOf('\n'))), 422, "app.jar");
        refused(app.call("PUT", "/rule-file", "<c:config xmlns:c='http://www.bea.com/ns/wlevs/config/application'/>"),
            422, "exactly one processor");
        assertThat(app.ids()).isEqualTo("every counted (other)");
    }

    @Test
    void shouldShowWhereARuleIsWrong() throws Exception
    {
        final TestInstance.Answer answer = app.put("other", "select number\nfrom numbers\nwhere numbr > 3");

        refused(answer, 422, "CQL-2002", "did you mean number?");
        final JsonObject problem = answer.body().getAsJsonObject().getAsJsonArray("problems").get(0).getAsJsonObject();
        assertThat(problem.get("position").getAsString()).isEqualTo("rule other:3:7");
        assertThat(problem.get("excerpt").getAsString()).contains("where numbr > 3", "      ^");
        refused(app.put("other", "selec number from numbers"), 422, "CQL-", "rule other:1:1");
        refused(app.put("other", "select number as nothing from numbers"), 422, "EPN-");
        assertThat(app.ids()).isEqualTo("every counted (other)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "select             | body is not JSON",
        "{\"text\": \"a    | body is not JSON",
        "~~                 | body is empty",
        "{text: 'a'}        | body is not JSON",
        "{} {}              | body is not JSON",
        "null               | body is not a JSON object, found=null",
        "[1]                | body is not a JSON object, found=a list",
        "7                  | body is not a JSON object, found=7",
        "{\"text\": 7}      | not a string, member=text found=7",
        "{\"text\": [\"a\"]} | not a string, member=text found=a list",
        "{\"text\": {}}     | not a string, member=text found=an object",
        "{\"text\": true}   | not a string, member=text found=true",
        "{\"schema\": \"a\"} | not a list, member=schema found=a string",
        "{\"schema\": [1]}  | not a string, member=schema found=1",
        "{\"schema\": [null]} | not a string, member=schema found=null",
        "{\"kind\": \"table\"} | unknown value, member=kind value=table",
        "{\"kind\": []}     | not a string, member=kind found=a list",
        "{\"active\": \"maybe\"} | not true or false, member=active",
        "{\"active\": {}}   | not true or false, member=active",
        "{\"mustExist\": 1} | not true or false, member=mustExist found=1",
        "{\"orderingConstraint\": \"SORTED\"} | unknown value, member=orderingConstraint value=SORTED",
        "{\"partitionExpression\": 5} | not a string, member=partitionExpression found=5",
        "{\"txet\": \"select\"} | unknown member, name=txet"})
    void shouldRefuseABodyThatIsNotUnderstood(final String body, final String text) throws Exception
    {
        refused(app.call("PUT", "/rules/other", body), 400, "SRV-0504", text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "[]                     | body is not a JSON object",
        "{\"one\": [1]}         | not a string, member=one found=a list",
        "{\"one\": null}        | not a string, member=one found=null",
        "{\"one\": true}        | not a string, member=one found=true"})
    void shouldRefuseBindingsThatAreNotUnderstood(final String body, final String text) throws Exception
    {
        refused(app.call("PUT", "/rules/other/bindings", body), 400, "SRV-0504", text);
    }

    @Test
    void shouldRefuseWhatCannotBeKept() throws Exception
    {
        refused(app.put("other", "   "), 422, "SRV-0502", "the rule is empty");
        refused(app.call("PUT", "/rules/other", "{}"), 422, "SRV-0502", "the rule is empty");
        refused(app.put("Every", ODD, "active", "false"), 422, "SRV-0505", "id=Every other=every");
        refused(app.put("other", "select\u0000 number from numbers", "active", "false"), 422, "SRV-0502", "U+0000");
        refused(app.put("other", "select '\uffff' from numbers", "active", "false"), 422, "SRV-0502", "U+FFFF");
        refused(app.put("other", ODD, "orderingConstraint", "PARTITION_ORDERED"), 422, "SRV-0502");
        refused(app.put("other", ODD, "partitionExpression", "name"), 422, "SRV-0502");
        refused(app.put("nobody", ODD, "mustExist", "true"), 404, "SRV-0501", "every, counted, other");
    }

    @Test
    void shouldAnswerNotFoundWhenARuleOrProcessorIsNotThere() throws Exception
    {
        for (final String call : new String[] {"DELETE /rules/nobody", "POST /rules/nobody/start",
            "POST /rules/nobody/stop"})
        {
            refused(app.call(call.split(" ")[0], call.split(" ")[1], ""), 404, "SRV-0501", "id=nobody",
                "rules of the processor: every, counted, other");
        }
        for (final String call : new String[] {"GET rules", "GET rule-file", "DELETE rules/every",
            "POST rules/every/stop"})
        {
            refused(instance.request(call.split(" ")[0], "/wlevs/apps/rule.app/processors/nobody/" +
                call.split(" ")[1], new byte[0]), 404, "EPN-0522", "processors of this application: rules");
            refused(instance.request(call.split(" ")[0], "/wlevs/apps/no.app/processors/rules/" +
                call.split(" ")[1], new byte[0]), 404, "SRV-0404");
        }
        refused(app.call("POST", "/rules/every", ""), 405, "SRV-0405", "DELETE");
        refused(app.call("GET", "/rules/every/start", ""), 405, "SRV-0405", "POST");
    }

    @Test
    void shouldTakeIdsOfAnyLanguageAndNoOthers() throws Exception
    {
        final String id = "übrige_$1#";
        final String path = "/rules/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
        final TestInstance.Answer added = app.call("PUT", path, "{\"text\": \"" + RuleApp.EVERY + "\"}");
        changed(added, "no channel accepts the rows of übrige_$1#");
        assertThat(app.ids()).isEqualTo("every counted (other) " + id);
        changed(app.call("DELETE", path, ""));

        for (final String bad : new String[] {"a%20b", "a%2Fb", "..%2f..", "a-b", "a.b", "%3Cb%3E",
            "%F0%9F%98%80", "x".repeat(201)})
        {
            refused(app.call("PUT", "/rules/" + bad, "{\"text\": \"" + RuleApp.EVERY + "\"}"), 404, "SRV-0404");
        }
        refused(app.call("PUT", "/rules/a%00b", "{\"text\": \"" + RuleApp.EVERY + "\"}"), 400, "SRV-0400");
        refused(app.put("1st", RuleApp.EVERY), 422, "CQL-");
    }

    /**
     * Repeated, because a response could be lost when the connection was closed before all of the body had been read.
     */
    @RepeatedTest(5)
    void shouldRefuseWhatIsTooLargeOrTooDeep() throws Exception
    {
        final String blank = " ".repeat(17 << 20);
        refused(app.call("PUT", "/rules/other", blank), 413, "SRV-0413", "limitBytes=16777216");
        refused(app.call("PUT", "/rule-file", blank), 413, "SRV-0413", "limitBytes=16777216");
        refused(app.call("PUT", "/rules/other/bindings", blank), 413, "SRV-0413", "limitBytes=16777216");
        refused(app.put("other", ODD + " ".repeat(64 << 10)), 422, "CQL-", "65536");
        refused(app.call("PUT", "/rules/other", "[".repeat(100_000)), 400, "SRV-0504");
        refused(app.put("other", "select number from numbers where " + "(".repeat(10_000) + "number > 1" +
            ")".repeat(10_000)), 422, "CQL-");
    }
}
