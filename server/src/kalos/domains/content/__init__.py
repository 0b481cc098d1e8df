"""What the house tells its members: bulletins (notices, news, banners), and the general calls beside them.

A *bulletin* has a name that its writer gave it, a text in English and in up to six more languages, and a time (wall
time) in which it is shown; *pinned* ones come first, then the newest. Its Markdown is read into *blocks* when it is
published: what the page shows is never HTML. Pictures are uploads that are tied to it. What a member has read isn't
kept here: the page keeps it. Beside them: sending pictures, which the domain `uploads` keeps. No money moves here.
"""
