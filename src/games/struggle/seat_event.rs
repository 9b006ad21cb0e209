//! What a seat may know of something that happened to resource cards. (SFC-35)
