package dev.millrace.server.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RuleEditsTest
{
    private static final Rule VIEW = new Rule(
        "v", true, "select a, b from s", List.of("a", "b"), "ORDERED", null, true, SourcePosition.NONE);

    private static final Rule QUERY = query("q", "select a from v where b > :1");

    private static final Rule OTHER = query("other", "select b from v");

    private static final List<Rule> RULES = List.of(VIEW, QUERY, OTHER);

    private static Rule query(final String id, final String text)
    {
        return new Rule(id, false, text, List.of(), "ORDERED", null, true, SourcePosition.NONE);
    }

    private static List<String> ids(final List<Rule> rules)
    {
        return rules.stream().map(rule -> rule.active() ? rule.id() : '(' + rule.id() + ')').toList();
    }

    private static Map<String, String> params(final String... values)
    {
        final Map<String, String> params = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i += 2)
        {
            params.put(values[i], values[i + 1]);
        }
        return params;
    }

    @Test
    void shouldAddARuleAtTheEndAndReplaceOneInItsPlace() throws Exception
    {
        assertThat(ids(RuleEdits.put(query("new", "select a from s"), false).apply(RULES)))
            .containsExactly("v", "q", "other", "new");
        final List<Rule> replaced = RuleEdits.put(query("q", "select b from s"), true).apply(RULES);
        assertThat(ids(replaced)).containsExactly("v", "q", "other");
        assertThat(replaced.get(1).text()).isEqualTo("select b from s");
        assertThat(RuleEdits.put(query("only", "select a from s"), false).apply(List.of())).hasSize(1);
    }

    @Test
    void shouldKeepTheBoundOfAttemptsOfARuleWhoseTextIsReplaced() throws Exception
    {
        final Rule bounded = query("q", "select a from s").withMaxAttempts(50);
        final Rule text = query("q", "select b from s");
        assertThat(RuleEdits.put(text, true).apply(List.of(bounded)).get(0).maxAttempts()).isEqualTo(50);
        assertThat(RuleEdits.put(text.withMaxAttempts(7), true).apply(List.of(bounded)).get(0).maxAttempts())
            .isEqualTo(7);
    }

    @Test
    void shouldKeepTheIdleStateTimeOfARuleWhoseTextIsReplaced() throws Exception
    {
        final Rule idle = query("q", "select a from s").withIdleStateTime(Duration.ofMinutes(5));
        final Rule text = query("q", "select b from s");
        assertThat(RuleEdits.put(text, true).apply(List.of(idle)).get(0).idleStateTime())
            .isEqualTo(Duration.ofMinutes(5));
        assertThat(RuleEdits.put(text.withIdleStateTime(Duration.ofSeconds(1)), true).apply(List.of(idle)).get(0)
            .idleStateTime()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void shouldRefuseToReplaceRemoveStartOrStopWhatIsNotThere()
    {
        for (final RuleEdit edit : List.of(RuleEdits.put(query("Q", "select a from s"), true), RuleEdits.remove("no"),
            RuleEdits.active("no", true), RuleEdits.active("q_low", false), RuleEdits.bindings("no", params())))
        {
            assertThatThrownBy(() -> edit.apply(RULES)).isInstanceOf(DeploymentException.class)
                .hasMessageContaining("SRV-0501").hasMessageContaining("rules of the processor: v, q, other");
        }
    }

    @Test
    void shouldKeepIdsApartWhateverTheCaseOfTheirLetters()
    {
        assertThatThrownBy(() -> RuleEdits.put(query("OTHER", "select a from s"), false).apply(RULES))
            .hasMessageContaining("SRV-0505").hasMessageContaining("use the id other");
        assertThatThrownBy(() -> RuleEdits.put(query("Q_low", "select a from s"), false)
            .apply(RuleEdits.bindings("q", params("low", "1")).apply(RULES)))
            .hasMessageContaining("SRV-0505").hasMessageContaining("rename the params");
    }

    @Test
    void shouldStartAndStopWithoutTouchingTheRest() throws Exception
    {
        final List<Rule> stopped = RuleEdits.active("q", false).apply(RULES);
        assertThat(ids(stopped)).containsExactly("v", "(q)", "other");
        assertThat(RuleEdits.active("q", true).apply(stopped)).isEqualTo(RULES);
    }

    @Test
    void shouldMakeARunningQueryOfEachSetOfValues() throws Exception
    {
        final List<Rule> bound = RuleEdits.bindings("q", params("low", "1", "high", " 5 , \"a, b\" ")).apply(RULES);

        assertThat(ids(bound)).containsExactly("v", "q_low", "q_high", "other");
        assertThat(bound.get(1).params().values()).containsExactly("1");
        assertThat(bound.get(2).params().values()).containsExactly("5", "\"a, b\"");
        assertThat(ids(RuleEdits.active("q", false).apply(bound)))
            .containsExactly("v", "(q_low)", "(q_high)", "other");
        final List<Rule> replaced = RuleEdits.put(query("q", "select b from v where b < :1"), true).apply(bound);
        assertThat(ids(replaced)).as("bindings stay").containsExactly("v", "q_low", "q_high", "other");
        assertThat(replaced.get(2).text()).isEqualTo("select b from v where b < :1");
        assertThat(ids(RuleEdits.bindings("q", params("mid", "3")).apply(bound)))
            .containsExactly("v", "q_mid", "other");
        assertThat(RuleEdits.bindings("q", params()).apply(bound)).isEqualTo(RULES);
        assertThat(ids(RuleEdits.remove("q").apply(bound))).containsExactly("v", "other");
        assertThat(ids(RuleEdits.put(query("q", "select a from s"), false)
            .apply(RuleEdits.remove("q").apply(bound)))).as("bindings go with their query")
            .containsExactly("v", "other", "q");
    }

    @Test
    void shouldRefuseBindingsThatNoFileCouldHave()
    {
        assertThatThrownBy(() -> RuleEdits.bindings("v", params("low", "1")).apply(RULES))
            .hasMessageContaining("SRV-0509");
        assertThatThrownBy(() -> RuleEdits.bindings("q", params("no id", "1")).apply(RULES))
            .hasMessageContaining("params need an id");
        assertThatThrownBy(() -> RuleEdits.bindings("q", params("low", "'open")).apply(RULES))
            .hasMessageContaining("quotes");
    }

    @Test
    void shouldRefuseRulesThatNoFileCouldHave()
    {
        final List<Rule> wrong = List.of(query("w", " \n"), query("w", "select\u0001"), query("w", "select \ud800"),
            query("w", "\u0000"),
            new Rule("w", false, "select a from s", List.of("a"), "ORDERED", null, true, SourcePosition.NONE),
            new Rule("w", true, "select a from s", List.of(), "ORDERED", "a", true, SourcePosition.NONE),
            new Rule("w", true, "select a from s", List.of(), "PARTITION_ORDERED", null, true, SourcePosition.NONE));
        for (final Rule rule : wrong)
        {
            assertThatThrownBy(() -> RuleEdits.put(rule, false).apply(RULES)).isInstanceOf(DeploymentException.class)
                .hasMessageContaining("SRV-0502").hasMessageContaining("hint: ").hasMessageContaining("id=w");
        }
    }

    @Test
    void shouldReplaceAllRulesByThoseOfAFile() throws Exception
    {
        final byte[] file = RuleFiles.write("anything", List.of(OTHER)).getBytes(StandardCharsets.UTF_8);
        assertThat(ids(RuleEdits.upload("rules.xml", file).apply(RULES))).containsExactly("other");
        assertThatThrownBy(() -> RuleEdits.upload("rules.xml", new byte[] {1, 2}).apply(RULES))
            .hasMessageContaining("rules.xml:1");
    }

    @Test
    void shouldPutTheLinesOfAFileToProblemsThatAreFoundLater()
    {
        final byte[] file = RuleFiles.write("p", List.of(OTHER)).getBytes(StandardCharsets.UTF_8);
        final DeploymentException failure = new DeploymentException(
            "CQL-1", new SourcePosition("rules.xml", 6, 7), "what is wrong", "what to do");
        assertThat(RuleEdits.placed(failure, "rules.xml", file).problems().get(0).excerpt())
            .contains("<query id=\"other\"", "^");
    }

    @Test
    void shouldShowEachRuleOnceWithItsBindings() throws Exception
    {
        final List<Map<String, Object>> maps =
            RuleEdits.maps(RuleEdits.bindings("q", params("low", "1,2", "none", "")).apply(RULES));

        assertThat(maps).hasSize(3);
        assertThat(maps.get(0)).containsEntry("id", "v").containsEntry("kind", "view")
            .containsEntry("schema", List.of("a", "b")).containsEntry("bindings", Map.of());
        assertThat(maps.get(1)).containsEntry("id", "q").containsEntry("kind", "query").containsEntry("active", true)
            .containsEntry("bindings", Map.of("low", "1, 2", "none", ""));
    }

    /** Every accepted rule must be readable from the file in which it is stored. */
    @Test
    void shouldReadBackWhatItAccepts() throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final String[] pieces = {"select", " ", "\n", "\t", "]]>", "<![CDATA[", "&amp;", "<", "\"", "'", "ü", "\u2028",
            "\ud83d\ude00", ":1", "a", "\u0007", "\ufffe", "--", "/* */", "&#0;", "\u007f", "\u0085"};
        int accepted = 0;
        for (int i = 0; i < 2_000; i++)
        {
            final StringBuilder text = new StringBuilder("x");
            for (int j = random.nextInt(8); j >= 0; j--)
            {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            final Rule rule = query("w", text.append('x').toString());
            final List<Rule> rules;
            try
            {
                rules = RuleEdits.put(rule, false).apply(RULES);
            }
            catch (final DeploymentException refused)
            {
                assertThat(text.toString()).containsAnyOf("\u0007", "\ufffe");
                continue;
            }
            accepted++;
            final List<Rule> read = RuleFiles.read("rules.xml", new ByteArrayInputStream(
                RuleFiles.write("p", rules).getBytes(StandardCharsets.UTF_8)));
            assertThat(RuleEdits.maps(read)).isEqualTo(RuleEdits.maps(rules));
        }
        assertThat(accepted).isGreaterThan(500);
    }
}
