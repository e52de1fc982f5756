from hqt.demo.report import Report
from hqt.demo.screen import Seen


def test_what_went_as_promised_is_told_with_its_reason() -> None:
    said: list[str] = []
    report = Report(said.append)
    report.attempt("write in /usr", "refused", Seen("refused", "Read-only file system"))
    report.attempt("write ~/.profile", "done", Seen("done", ""), remark=": its own")
    report.check("nothing is left", kept=True)
    assert said == [
        "  refused  write in /usr (Read-only file system)",
        "  done     write ~/.profile: its own",
        "  checked  nothing is left",
    ]
    assert (report.promises, report.broken) == (3, [])


def test_what_went_otherwise_or_was_not_said_is_broken() -> None:
    said: list[str] = []
    report = Report(said.append)
    report.attempt("read the key", "refused", Seen("done", "planted"))
    report.attempt("write in /etc", "refused", None)
    report.check("nothing is left", kept=False)
    assert said == [f"  BROKEN   {what}" for what in report.broken]
    assert report.broken == [
        "read the key: done (planted), and should be refused",
        "write in /etc: it did not say",
        "not so: nothing is left",
    ]
