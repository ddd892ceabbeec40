package @package@;

import static dev.millrace.test.Row.row;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.test.ApplicationUnderTest;
import dev.millrace.test.MillraceTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the whole application without a server: the test sends orders instead of the adapter. */
@MillraceTest
class PricedOrdersTest
{
    @Test
    void shouldPriceOrdersOfLoadedProducts(final ApplicationUnderTest app)
    {
        app.send("orders", row("product", "P1", "quantity", 4), row("product", "P3", "quantity", 2));

        app.expect("PricedStream", row("product", "P1", "name", "Hammer", "amount", 50),
            row("product", "P3", "name", "Box of nails", "amount", 8.5));
    }

    @Test
    void shouldReadProductsThatArePutLater(final ApplicationUnderTest app)
    {
        app.send("orders", row("product", "P4", "quantity", 1));
        app.expectNone("PricedStream");
        final Product drill = new Product();
        drill.setId("P4");
        drill.setName("Drill");
        drill.setPrice(99);

        app.cache("products").put("P4", drill);
        app.send("orders", row("product", "P4", "quantity", 1));

        app.expect("PricedStream", row("product", "P4", "name", "Drill", "amount", 99));
    }

    @Test
    void shouldNameTheLineThatIsNoProduct()
    {
        final List<String> lines = List.of("id,name,price", "P1,Hammer,12.5", "P2,Saw");

        final Exception refused =
            assertThrows(IllegalArgumentException.class, () -> ProductLoader.products(lines));

        assertEquals("not a product, file=/products.csv line=3", refused.getMessage());
    }
}
