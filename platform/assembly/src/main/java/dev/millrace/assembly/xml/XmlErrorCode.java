package dev.millrace.assembly.xml;

/** Problems of XML syntax and limits, with their codes. */
public enum XmlErrorCode
{
    /** Not well-formed XML, or not in the encoding it declares: correct the file at the given position. */
    MALFORMED("EPN-1101"),
    /** A DOCTYPE or another declaration: remove it, grammars and entities are never needed. */
    DOCTYPE("EPN-1102"),
    /** A limit on size, depth or numbers was exceeded: split the file. */
    LIMIT("EPN-1103"),
    /** The file could not be read at all: check that it is in the bundle. */
    UNREADABLE("EPN-1104"),
    /** The document is not valid for its schema: correct the file at the given position. */
    INVALID("EPN-1105");

    private final String code;

    XmlErrorCode(final String code)
    {
        this.code = code;
    }

    /**
     * Returns the stable code.
     *
     * @return for example {@code EPN-1101}
     */
    public String code()
    {
        return code;
    }
}
