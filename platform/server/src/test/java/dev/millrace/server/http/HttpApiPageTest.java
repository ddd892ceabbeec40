package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reference of the HTTP API matches the routes. With {@code -Dmillrace.pages=write} it is written again. */
@Timeout(60)
class HttpApiPageTest
{
    private static final Path PAGE = Path.of("../../docs/http-api.md");

    private static final List<Route> ROUTES = ManagementEndpoint.routes(null);

    @Test
    void shouldDescribeTheRoutesAsTheServerDeclaresThem() throws IOException
    {
        final String page = HttpApiPage.of(ROUTES);
        if ("write".equals(System.getProperty("millrace.pages")))
        {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).as("run the command of CONTRIBUTING.md that writes the page again")
            .isEqualTo(page);
    }

    @Test
    void shouldContainEachRouteOnce() throws IOException
    {
        assertThat(Files.readAllLines(PAGE)).filteredOn(line -> line.startsWith("### `"))
            .containsExactlyInAnyOrder(ROUTES.stream().map(HttpApiPage::heading).toArray(String[]::new))
            .hasSizeGreaterThan(30);
    }

    @Test
    void shouldHaveAnAnchorForEachHeading() throws IOException
    {
        assertThat(Files.readAllLines(PAGE)).filteredOn(line -> line.startsWith("##")).extracting(
            line -> line.replaceAll("#+ ", "")).doesNotHaveDuplicates();
    }

    @Test
    void shouldSummarizeEachRouteInOneSentence()
    {
        assertThat(ROUTES).extracting(route -> route.about().summary())
            .allMatch(summary -> summary.matches("[A-Z][^.]*\\.")).doesNotHaveDuplicates();
    }

    @Test
    void shouldExplainEachStatusOfARefusal() throws IOException, IllegalAccessException
    {
        final String page = Files.readString(PAGE);
        final List<Field> statuses = Arrays.stream(HttpProblem.class.getDeclaredFields())
            .filter(field -> field.getType() == int.class && Modifier.isStatic(field.getModifiers())).toList();
        assertThat(statuses).hasSizeGreaterThan(5);
        for (final Field status : statuses)
        {
            assertThat(page).as(status.getName()).contains("| " + status.getInt(null) + " | ");
        }
    }

    @Test
    void shouldUseEachKindOfBody()
    {
        assertThat(ROUTES).extracting(route -> route.about().response()).contains(ResponseBody.values());
    }
}
